// SPDX-License-Identifier: Apache-2.0
// The playground: an editor, a machine, and what there is to see of it.
import { loadEngine } from './engine.js'
import { makeGrid, parseView, nameOf, indexOf, placeOf, goesTo, cellAt } from './grid.js'
import { pack, unpack, keep, kept } from './link.js'
import { say, useLanguage, language } from './words.js'

const CHUNK = 4e6, MOST = 4e9 // instructions between looks at the page; in one run
const LINE = 19               // pixels
const byId = id => document.getElementById(id)
const source = byId('source'), gutter = byId('gutter'), status = byId('status')

let engine, types, examples = [], state = null
let good = false, running = false, stopAsked = false, breakpoints = new Set(), old = null
let traces = [null, null]
let queued = 0

// ---- The program ----

function tell(text, bad = false) {
  status.textContent = text
  status.classList.toggle('bad', bad)
}

function goTo(line) {
  const lines = source.value.split('\n'), at = lines.slice(0, line - 1).join('\n').length + (line > 1)
  source.focus()
  source.setSelectionRange(at, at + (lines[line - 1] ?? '').length)
  source.scrollTop = Math.max(0, (line - 6) * LINE)
}

function showErrors(errors) {
  byId('errors').replaceChildren(...errors.slice(0, 8).map(([line, text]) => {
    const row = document.createElement('li'), button = document.createElement('button')
    button.type = 'button'
    button.textContent = line ? `${say('line')} ${line}: ${text}` : text
    if (line) button.onclick = () => goTo(line)
    row.append(button)
    return row
  }))
  if (errors.length) tell(`${errors.length} ${say('mistakes')}`, true)
}

let wrong = new Set()

function drawGutter() {
  const count = source.value.split('\n').length, now = good && state && !state.ended ? state.line : 0
  gutter.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const mark = document.createElement('span'), line = i + 1
    mark.textContent = line
    mark.className = [wrong.has(line) && 'bad', breakpoints.has(line) && 'stop', line === now && 'now'].filter(Boolean).join(' ')
    return mark
  }))
  const here = byId('here')
  here.style.display = now ? 'block' : 'none'
  here.dataset.line = now
  scrollAlong()
}

function scrollAlong() {
  gutter.scrollTop = source.scrollTop
  byId('here').style.top = `${6 + (byId('here').dataset.line - 1) * LINE - source.scrollTop}px`
}

function assemble() {
  const errors = engine.assemble(source.value, byId('isa').value)
  wrong = new Set(errors.map(([line]) => line))
  good = errors.length === 0
  showErrors(errors)
  if (good) {
    setBreakpoints()
    if (byId('timed').checked) restart()
  }
  return good
}

function setBreakpoints() {
  for (const line of breakpoints) if (!engine.breakAt(line, true)) breakpoints.delete(line)
}

function restart() {
  engine.restart(byId('timed').checked ? byId('machine').value : '')
  setBreakpoints()
}

// ---- Running ----

function spent(count, ms) {
  return ms > 50 ? `, ${Math.round(count / ms / 1e3)} ${say('million')}` : ''
}

function tellStop(stop, count, ms) {
  const done = `${state.count.toLocaleString()} ${say('instructions')}, ${state.ztl.toLocaleString()} ${say('ofZtl')}`
  if (stop === 'trap') tell(`${say('trap')} ${state.trap}`, true)
  else if (stop === 'exit') tell(`${say(state.exit ? 'failed' : 'ended')}${state.exit ? ` ${state.exit}` : ''}: ${done}${spent(count, ms)}`)
  else if (stop === 'breakpoint') tell(`${say('at-break')} ${state.line}: ${done}`)
  else if (stop === 'loop' || stop === 'wfi') tell(say(stop), true)
  else tell(`${say('at')} ${state.line}: ${state.next} · ${done}${spent(count, ms)}`)
}

async function run(limit) {
  if (!good || running) return
  running = true
  stopAsked = false
  byId('run').querySelector('[data-word]').textContent = say('stop')
  const started = performance.now(), first = state?.count ?? 0
  let stop = 'limit', left = limit, shown = started
  while (left > 0 && stop === 'limit' && !stopAsked) {
    const chunk = Math.min(left, CHUNK)
    stop = engine.run(chunk)
    left -= chunk
    if (left > 0 && performance.now() - shown > 30) {
      await new Promise(done => setTimeout(done))
      shown = performance.now()
    }
  }
  const ms = performance.now() - started
  running = false
  byId('run').querySelector('[data-word]').textContent = say('run')
  show()
  tellStop(stop, state.count - first, ms)
}

// Steps until a Ztl instruction has been executed, so that what it moved can be followed.
function nextZtl() {
  if (!good || running) return
  const before = engine.state().ztl
  let stop = 'limit', n = 0
  do stop = engine.run(1)
  while (stop === 'limit' && engine.state().ztl === before && ++n < 20000)
  show()
  tellStop(stop, 0, 0)
}

function step() {
  if (!good || running) return
  const stop = engine.run(1)
  show()
  tellStop(stop, 0, 0)
}

function back(count = 1) {
  if (!good || running) return
  engine.back(count)
  setBreakpoints()
  show()
  tellStop('limit', 0, 0)
}

function toggleRun() {
  if (running) {
    stopAsked = true
    return
  }
  if (state?.ended) restart()
  run(MOST)
}

// ---- What there is to see ----

function followProgram() {
  if (!byId('follow').checked) return
  const [which, shape, type] = engine.view().split(':')
  if (!which) return
  byId('which').value = which
  byId('shape').value = shape
  byId('type').value = type
}

function drawGrids() {
  const view = parseView(byId('which').value, byId('shape').value), grids = byId('grids')
  if (view.error) {
    grids.textContent = view.error
    return
  }
  const type = types.find(each => each.name === byId('type').value) ?? types[0]
  const bytes = before => {
    const all = new Uint8Array(2048)
    view.registers.forEach((n, i) => all.set(engine.register(n, before), 1024 * i))
    return all
  }
  const last = engine.last(), names = view.registers.map(n => `tl${n}`).join('+')
  const now = makeGrid(view, type, bytes(false), `${names} [${view.dims.join(', ')}] ${type.name}`, seeElement)
  const figures = [now]
  if (last && traces[0]) {
    now.moment = 'after'
    const [, , , shape] = engine.view().split(':'), same = engine.view().startsWith(`${names}:${view.dims.join('x')}:`)
    const earlier = { registers: sourceRegisters(view) ?? view.registers, dims: same ? shape.split('x').map(Number) : view.dims }
    const all = new Uint8Array(2048)
    earlier.registers.forEach((n, i) => all.set(engine.register(n, true), 1024 * i))
    const was = makeGrid(earlier, type, all, `${say('before')} ${last}: ${earlier.registers.map(n => `tl${n}`).join('+')} [${earlier.dims.join(', ')}]`, seeElement)
    was.moment = 'before'
    now.querySelector('figcaption').textContent = `${say('now')}: ${now.querySelector('figcaption').textContent}`
    if (earlier.registers.length) figures.unshift(was)
  }
  grids.replaceChildren(...figures)
  byId('origin').textContent = ''
}

// The registers that what a view shows came from; undefined where all came from memory.
function sourceRegisters(view) {
  const found = new Set()
  for (const n of view.registers)
    for (const name of traces[0].registers[n]) {
      const place = placeOf(name, traces[0])
      if (place?.register !== undefined) found.add(place.register)
    }
  const list = [...found].sort((a, b) => a - b).slice(0, 2)
  return list.length ? list : undefined
}

function words(place, figures) {
  if (place.address !== undefined) return `${say('in-memory')} 0x${place.address.toString(16)}`
  for (const figure of figures) {
    const cell = cellAt(figure, place.register, place.nibble)
    if (cell) return `tl${place.register} [${indexOf(figure.view, Number(cell.dataset.n)).join(', ')}]`
  }
  return `tl${place.register} ${say('byte')} ${place.nibble >> 1}`
}

function listed(places, figures) {
  const texts = [...new Set(places.map(place => words(place, figures)))]
  return texts.length > 4 ? `${texts.slice(0, 4).join('; ')} … (${texts.length})` : texts.join('; ')
}

function seeElement(n, figure) {
  const figures = [...byId('grids').querySelectorAll('figure')], name = nameOf(figure.view, figure.type, n)
  for (const cell of byId('grids').querySelectorAll('.mark')) cell.classList.remove('mark')
  const mark = (places, where) => places.forEach(place => {
    for (const other of where) if (place.register !== undefined) cellAt(other, place.register, place.nibble)?.classList.add('mark')
  })
  const was = figures.filter(each => each.moment === 'before'), now = figures.filter(each => each.moment !== 'before')
  let text = `[${indexOf(figure.view, n).join(', ')}] = ${figure.cells[n].textContent}`
  const nibble = (name - 1) % 2048, register = Math.floor((name - 1) / 2048)
  figure.cells[n].classList.add('mark')
  if (figure.moment === 'before') {
    const places = goesTo(name, traces[0])
    mark(places, now)
    text += `. ${say('went-to')} ${places.length ? listed(places, now) : say('nowhere')}`
  } else {
    if (figure.moment === 'after') {
      const origin = traces[0].registers[register][nibble], place = placeOf(origin, traces[0])
      if (place) mark([place], was)
      text += `. ${say('came-from')} ${place ? words(place, was) : say('zero')}`
    }
    if (traces[1]) {
      const places = goesTo(name, traces[1]).filter(place => place.register !== register || place.nibble !== nibble)
      if (places.length) text += `. ${say('next-takes')} (${state.next}): ${listed(places, now)}`
    }
  }
  byId('origin').textContent = text
}

function drawState() {
  const rows = [['pc', state.pc], ...state.x.map((value, i) => [X_NAMES[i], value]), ...Object.entries(state.csr)]
  const was = new Map(old ?? [])
  byId('state').replaceChildren(...rows.filter(([name, value]) => value !== '0x0' || was.get(name)).map(([name, value]) => {
    const row = document.createElement('div')
    row.className = was.size && was.get(name) !== value ? 'changed' : ''
    row.append(Object.assign(document.createElement('span'), { textContent: name }), Object.assign(document.createElement('span'), { textContent: value }))
    return row
  }))
  old = rows
}

const X_NAMES = ('zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6').split(' ')

function drawMemory() {
  const text = byId('address').value.trim(), labels = engine.labels()
  const register = X_NAMES.indexOf(text)
  let address
  try {
    address = BigInt(labels[text] ?? (register >= 0 ? state.x[register] : text))
  } catch {
    byId('memory').textContent = `${say('no-address')} '${text}'`
    return
  }
  const bytes = engine.memory(address, 512), lines = []
  for (let i = 0; i < bytes.length; i += 16) {
    const part = [...bytes.subarray(i, i + 16)]
    const hex = part.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = part.map(byte => byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.').join('')
    lines.push(`${(address + BigInt(i)).toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${letters}`)
  }
  byId('memory').textContent = lines.join('\n') || say('no-memory')
}

function putSvg(element, text) {
  if (!text.includes('<svg')) {
    element.textContent = text
    return
  }
  const svg = new DOMParser().parseFromString(text.slice(text.indexOf('<svg')), 'image/svg+xml').documentElement
  element.replaceChildren(document.importNode(svg, true))
}

let pictured = ''

function drawPicture() {
  const line = source.value.slice(0, source.selectionStart).split('\n').length - 1
  const text = source.value.split('\n')[line].replace(/#.*|^\s*[\w.$]+:/g, '').trim()
  const cursor = document.activeElement === source
  const wanted = cursor && text.startsWith('tl.') ? text : engine.last() || (text.startsWith('tl.') ? text : 'tl.xpose.01 tl1, tl2, a0')
  if (wanted === pictured || byId('panel-picture').hidden) return
  pictured = wanted
  const revision = byId('isa').value.includes('1p0') ? 1 : 2
  let drawing = engine.picture(wanted, revision)
  if (!drawing.includes('<svg')) drawing = engine.picture(wanted.split(/\s/)[0], revision)
  putSvg(byId('picture'), drawing)
}

function drawCycles() {
  if (byId('panel-cycles').hidden) return
  putSvg(byId('timeline'), byId('timed').checked ? engine.timeline() : '')
  byId('report').textContent = byId('timed').checked ? engine.report() : say('no-cycles')
}

function show() {
  state = engine.state()
  traces = [engine.follow(0), engine.follow(1)]
  followProgram()
  drawGutter()
  drawGrids()
  drawState()
  drawMemory()
  drawPicture()
  drawCycles()
  byId('console').textContent = new TextDecoder().decode(Uint8Array.from(state.console, c => c.charCodeAt(0)))
  for (const id of ['back']) byId(id).disabled = state.count === 0
  save()
}

// ---- What stays ----

function wholeState() {
  const value = id => byId(id).value
  return { source: source.value, isa: value('isa'), count: state?.count ?? 0, breaks: [...breakpoints],
    view: [value('which'), value('shape'), value('type'), byId('follow').checked], timed: byId('timed').checked && value('machine') }
}

function save() {
  clearTimeout(queued)
  queued = setTimeout(() => keep(wholeState()), 100)
}

async function takeState(saved) {
  source.value = saved.source
  byId('isa').value = saved.isa || byId('isa').options[0].value
  breakpoints = new Set(saved.breaks ?? [])
  if (saved.view) {
    [byId('which').value, byId('shape').value, byId('type').value] = saved.view
    byId('follow').checked = saved.view[3]
  }
  byId('timed').checked = Boolean(saved.timed)
  if (saved.timed) byId('machine').value = saved.timed
  if (!assemble()) return drawGutter()
  const count = Math.min(saved.count ?? 0, MOST)
  for (const line of breakpoints) engine.breakAt(line, false)
  if (count > 1) engine.run(count - 1)
  const stop = count ? engine.run(1) : 'limit'
  setBreakpoints()
  performance.mark('ztl-executed')
  show()
  tellStop(stop, 0, 0)
}

function edited() {
  save()
  clearTimeout(edited.later)
  good = false
  drawGutter()
  edited.later = setTimeout(() => {
    old = null
    if (assemble()) {
      show()
      tell(say('assembled'))
    } else {
      drawGutter()
    }
  }, 250)
}

function toggleBreak(line = source.value.slice(0, source.selectionStart).split('\n').length) {
  const on = !breakpoints.has(line)
  if (good && engine.breakAt(line, on)) {
    on ? breakpoints.add(line) : breakpoints.delete(line)
    tell(`${say(on ? 'break-on' : 'break-off')} ${line}`)
  } else {
    tell(`${say('no-break')} ${line}`, true)
  }
  drawGutter()
  save()
}

async function copyLink() {
  const url = `${location.href.split('#')[0]}#${await pack(wholeState())}`
  history.replaceState(null, '', url)
  try {
    await navigator.clipboard.writeText(url)
    tell(say('copied'))
  } catch {
    tell(say('in-address'))
  }
}

// ---- Wiring ----

function wireTabs() {
  const tabs = [...document.querySelectorAll('[role=tab]')]
  const choose = tab => {
    for (const each of tabs) {
      const chosen = each === tab
      each.setAttribute('aria-selected', chosen)
      each.tabIndex = chosen ? 0 : -1
      byId(each.getAttribute('aria-controls')).hidden = !chosen
    }
    pictured = ''
    if (state) {
      drawPicture()
      drawCycles()
    }
  }
  tabs.forEach((tab, i) => {
    tab.onclick = () => choose(tab)
    tab.onkeydown = event => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!by) return
      const other = tabs[(i + by + tabs.length) % tabs.length]
      choose(other)
      other.focus()
    }
  })
}

function wire() {
  byId('run').onclick = toggleRun
  byId('step').onclick = step
  byId('back').onclick = () => back()
  byId('next').onclick = nextZtl
  byId('break').onclick = () => toggleBreak()
  byId('link').onclick = copyLink
  byId('reset').onclick = () => {
    if (!good) return
    restart()
    show()
    tellStop('limit', 0, 0)
  }
  byId('timed').onchange = byId('machine').onchange = () => {
    const count = state?.count ?? 0
    if (!good) return
    restart()
    for (const line of breakpoints) engine.breakAt(line, false)
    if (count > 1) engine.run(count - 1)
    if (count) engine.run(1)
    setBreakpoints()
    show()
  }
  byId('isa').onchange = edited
  byId('example').onchange = event => {
    const example = examples[event.target.value]
    breakpoints.clear()
    old = null
    takeState({ source: example.text, isa: example.isa, count: 0, view: ['tl1', '32x32', 'byte', true], timed: wholeState().timed })
  }
  for (const id of ['which', 'shape', 'type']) byId(id).onchange = () => {
    byId('follow').checked = false
    drawGrids()
    save()
  }
  byId('follow').onchange = () => show()
  byId('address').onchange = drawMemory
  byId('plan-form').onsubmit = event => {
    event.preventDefault()
    byId('plan').textContent = say('planning')
    setTimeout(() => { byId('plan').textContent = engine.plan(byId('plan-text').value) })
  }
  byId('language').onclick = () => {
    useLanguage(language() === 'zh' ? 'en' : 'zh')
    if (state) show()
  }
  source.oninput = edited
  source.onscroll = scrollAlong
  source.onclick = source.onkeyup = () => good && drawPicture()
  gutter.onclick = event => event.target.textContent && event.target !== gutter && toggleBreak(Number(event.target.textContent))
  source.onkeydown = event => {
    if (event.key === 'Escape') byId('run').focus()
    if (event.key !== 'Tab' || event.shiftKey || event.altKey || event.ctrlKey) return
    event.preventDefault()
    source.setRangeText('    ', source.selectionStart, source.selectionEnd, 'end')
    edited()
  }
  document.onkeydown = event => {
    const key = `${event.ctrlKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.key}`
    const action = { 'Ctrl+Enter': toggleRun, 'Alt+ArrowDown': step, 'Alt+ArrowUp': () => back(), 'Alt+ArrowRight': nextZtl, F9: () => toggleBreak() }[key]
    if (!action) return
    event.preventDefault()
    action()
  }
  wireTabs()
}

async function start() {
  useLanguage(language())
  const listed = fetch('examples.json').then(answer => answer.json())
  engine = await loadEngine('play.wasm')
  types = engine.types()
  byId('type').replaceChildren(...types.map(type => new Option(type.name)))
  examples = await listed
  byId('example').replaceChildren(...examples.map((example, i) => new Option(example.name, i)))
  wire()
  const linked = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : null
  await takeState(linked ?? kept() ?? { source: examples[0].text, count: examples[0].count })
  if (location.hash.length > 1 && !linked) tell(say('bad-link'), true)
  window.ztl = { engine, run, state: () => state } // for tests and the curious
  document.documentElement.dataset.ready = 'yes'
}

addEventListener('hashchange', async () => {
  const linked = await unpack(location.hash.slice(1))
  if (linked && linked.source !== source.value) takeState(linked)
})
start().catch(error => tell(String(error), true))
