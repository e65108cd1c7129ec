// SPDX-License-Identifier: Apache-2.0
// Tensor registers as coloured grids, of any shape and type; and which elements moved where.

const MOST_CELLS = 4096
const FIRST = 1, NIBBLES = 2048, MEMORY = FIRST + 32 * NIBBLES // names, as draw/trace.h gives them

// "tl1+tl2", "32x64": the registers, the dimensions; an error as text.
export function parseView(which, shape) {
  const registers = which.trim().split('+').map(word => /^tl(\d+)$/.exec(word.trim())?.[1]).map(Number)
  if (registers.some(n => !(n >= 0 && n < 32)) || registers.length > 2)
    return { error: `'${which}' is not tl0 to tl31, or two of them as tl1+tl2` }
  const dims = shape.trim().split(/[x×,]/).map(Number)
  if (dims.length > 8 || dims.some(n => !(Number.isInteger(n) && n > 0)))
    return { error: `'${shape}' is no shape, must be as 4x16x16` }
  return { registers, dims }
}

// How many elements a view has; those beyond its bytes are not shown.
function elements(view, type) {
  const room = view.registers.length * 8192 / type.bits
  return Math.min(view.dims.reduce((a, b) => a * b, 1), room, MOST_CELLS)
}

function bitsAt(bytes, type, n) {
  if (type.bits === 4) return BigInt(bytes[n >> 1] >> (n & 1) * 4 & 15)
  let value = 0n
  for (let i = type.bits / 8; i-- > 0;) value = value << 8n | BigInt(bytes[n * type.bits / 8 + i])
  return value
}

// The value of an element: integers by their sign, floats by the fields of the type.
function valueOf(type, bits) {
  if (type.kind === 'unsigned') return Number(bits)
  if (type.kind === 'signed') return Number(BigInt.asIntN(type.bits, bits))
  const word = Number(bits), fractionMask = 2 ** type.fraction - 1, exponentMask = 2 ** type.exponent - 1
  const fraction = word & fractionMask, biased = word >>> type.fraction & exponentMask
  const sign = word >>> (type.bits - 1) & 1 ? -1 : 1
  if (biased === exponentMask) {
    if (type.special === 'ieee') return fraction ? NaN : sign * Infinity
    if (type.special === 'nan' && fraction === fractionMask) return NaN
  }
  const bias = 2 ** (type.exponent - 1) - 1
  return sign * (fraction + (biased ? fractionMask + 1 : 0)) * 2 ** ((biased || 1) - bias - type.fraction)
}

function textOf(type, bits, value) {
  if (type.kind === 'unsigned') return bits.toString(16).padStart(type.bits / 4, '0')
  if (Number.isInteger(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : String(Number(value.toPrecision(4)))
}

// From blue for the least to red for the greatest: light enough for dark text on it.
function colour(value, low, high) {
  if (!Number.isFinite(value)) return '#bbb'
  const part = high > low ? (value - low) / (high - low) : 0.5
  return `hsl(${Math.round(230 - 230 * part)} 80% ${Math.round(74 + 6 * Math.sin(part * Math.PI))}%)`
}

export function nameOf(view, type, n, half = 0) {
  const perRegister = 8192 / type.bits, nibble = n % perRegister * (type.bits / 4) + half
  return FIRST + view.registers[Math.floor(n / perRegister)] * NIBBLES + nibble
}

export function indexOf(view, n) {
  const index = []
  for (const size of [...view.dims].reverse()) {
    index.unshift(n % size)
    n = Math.floor(n / size)
  }
  return index
}

// What a name says: { register, nibble }, { address }, or null for what came from nowhere.
export function placeOf(name, trace) {
  if (name === 0) return null
  if (name >= MEMORY) return { address: trace.addresses[name - MEMORY >> 1] }
  return { register: Math.floor((name - FIRST) / NIBBLES), nibble: (name - FIRST) % NIBBLES }
}

// All places that hold what a name stands for.
export function goesTo(name, trace) {
  const found = []
  trace.registers.forEach((names, register) => names.forEach((other, nibble) => {
    if (other === name) found.push({ register, nibble })
  }))
  trace.memory.forEach((other, nibble) => {
    if (other === name) found.push({ address: trace.addresses[nibble >> 1] })
  })
  return found
}

// A figure of tables, one for each pair of the last two dimensions. `see` is told of the element
// that is pointed at.
export function makeGrid(view, type, bytes, caption, see) {
  const figure = document.createElement('figure'), count = elements(view, type)
  const values = Array.from({ length: count }, (_, n) => bitsAt(bytes, type, n))
  const numbers = values.map(bits => valueOf(type, bits)), finite = numbers.filter(Number.isFinite)
  const low = Math.min(...finite), high = Math.max(...finite)
  const columns = view.dims.at(-1), rows = view.dims.at(-2) ?? 1
  const title = document.createElement('figcaption')
  title.textContent = caption
  figure.append(title)
  figure.cells = []
  for (let start = 0; start < count; start += rows * columns) {
    const table = document.createElement('table')
    table.className = 'grid'
    table.setAttribute('role', 'grid')
    table.setAttribute('aria-label', `${caption} ${view.dims.length > 2 ? indexOf(view, start).slice(0, -2).join(', ') : ''}`)
    if (view.dims.length > 2) table.createCaption().textContent = `[${indexOf(view, start).slice(0, -2).join(', ')}, …]`
    for (let row = 0; row < rows && start + row * columns < count; row++) {
      const line = table.insertRow(), head = document.createElement('th')
      head.textContent = row
      head.scope = 'row'
      line.append(head)
      for (let n = start + row * columns; n < Math.min(start + (row + 1) * columns, count); n++) {
        const cell = line.insertCell()
        cell.textContent = textOf(type, values[n], numbers[n])
        cell.style.background = colour(numbers[n], low, high)
        cell.tabIndex = n ? -1 : 0
        cell.dataset.n = n
        figure.cells[n] = cell
      }
    }
    figure.append(table)
  }
  const point = event => event.target.dataset?.n !== undefined && see(Number(event.target.dataset.n), figure)
  figure.addEventListener('pointerover', point)
  figure.addEventListener('focusin', point)
  figure.addEventListener('keydown', event => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
    const cell = by && figure.cells[Number(event.target.dataset.n) + by]
    if (!cell) return
    event.preventDefault()
    event.target.tabIndex = -1
    cell.tabIndex = 0
    cell.focus()
  })
  Object.assign(figure, { view, type })
  return figure
}

// The cell of a figure that shows half a byte of a register, if any does.
export function cellAt(figure, register, nibble) {
  const at = figure.view.registers.indexOf(register), halves = figure.type.bits / 4
  return at < 0 ? undefined : figure.cells[at * (8192 / figure.type.bits) + Math.floor(nibble / halves)]
}
