// SPDX-License-Identifier: Apache-2.0
// The simulator in WebAssembly: its calls, with texts in and out.

const decoder = new TextDecoder('latin1'), utf8 = new TextDecoder(), encoder = new TextEncoder()
export const STOPS = ['limit', 'exit', 'trap', 'loop', 'breakpoint', 'watchpoint', 'host', 'wfi']
const BADF = 8 // what is asked of files: there are none

export async function loadEngine(url) {
  let play
  const write = (file, vectors, count, written) => {
    const view = new DataView(play.memory.buffer)
    let total = 0
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(vectors + 8 * i, true), size = view.getUint32(vectors + 8 * i + 4, true)
      console.warn(utf8.decode(new Uint8Array(play.memory.buffer, at, size)))
      total += size
    }
    view.setUint32(written, total, true)
    return 0
  }
  const end = () => { throw new Error('the simulator gave up') }
  const system = new Proxy({}, { get: (_, name) => ({ fd_write: write, proc_exit: end })[name] ?? (() => BADF) })
  const made = await WebAssembly.instantiateStreaming(fetch(url), { wasi_snapshot_preview1: system })
  play = made.instance.exports
  play._initialize()
  return new Engine(play)
}

class Engine {
  constructor(play) { this.play = play }

  put(text) {
    const bytes = encoder.encode(text), at = this.play.play_room(bytes.length)
    new Uint8Array(this.play.memory.buffer).set(bytes, at)
  }

  text(at) {
    const memory = new Uint8Array(this.play.memory.buffer)
    return memory.subarray(at, memory.indexOf(0, at))
  }

  get(at) { return utf8.decode(this.text(at)) }
  json(at) { return JSON.parse(decoder.decode(this.text(at))) }

  // [[line, what is wrong], …]
  assemble(source, isa) {
    this.put(isa + '\n' + source)
    return this.json(this.play.play_assemble())
  }

  restart(machine) {
    if (machine) this.put(machine)
    return this.play.play_restart(machine ? 1 : 0)
  }

  run(limit) { return STOPS[this.play.play_run(limit)] }
  back(count) { return this.play.play_back(count) }
  breakAt(line, on) { return this.play.play_break_at(line, on ? 1 : 0) }
  state() { return this.json(this.play.play_state()) }
  labels() { return this.json(this.play.play_labels()) }
  types() { return this.json(this.play.play_types()) }
  view() { return this.get(this.play.play_view()) }
  last() { return this.get(this.play.play_last()) }
  timeline() { return this.get(this.play.play_timeline()) }
  report() { return this.get(this.play.play_report()) }

  register(index, before) {
    const at = this.play.play_register(index, before ? 1 : 0)
    return new Uint8Array(this.play.memory.buffer.slice(at, at + 1024))
  }

  memory(address, size) {
    const at = this.play.play_room(size), value = BigInt(address)
    const there = this.play.play_memory(Number(value & 0xffffffffn), Number(value >> 32n), at, size)
    return new Uint8Array(this.play.memory.buffer.slice(at, at + there))
  }

  // Where the half bytes of registers and memory come from in the last (0) or the next (1) Ztl
  // instruction; null where there is none.
  follow(which) {
    if (!this.play.play_follow(which)) return null
    const names = (at, count) => new Uint32Array(this.play.memory.buffer.slice(at, at + 4 * count))
    const registers = Array.from({ length: 32 }, (_, n) => names(this.play.play_names(n), 2048))
    const count = this.play.play_memory_bytes()
    const addresses = Array.from({ length: count }, (_, n) => this.play.play_memory_address(n))
    return { registers, memory: names(this.play.play_memory_names(), 2 * count), addresses }
  }

  picture(text, revision) {
    this.put(text)
    return this.get(this.play.play_picture(revision))
  }

  plan(text) {
    this.put(text)
    return this.get(this.play.play_plan())
  }
}
