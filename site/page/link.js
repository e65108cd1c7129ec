// SPDX-License-Identifier: Apache-2.0
// Program and state in the address of the page, and in what the browser keeps.

const KEY = 'ztl-playground'

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

export async function pack(state) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(state)))
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

// null where the text is none that was packed.
export async function unpack(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
    const state = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes)))
    return typeof state.source === 'string' ? state : null
  } catch {
    return null
  }
}

export function keep(state) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state))
  } catch { /* no room, or not allowed: the page works without */ }
}

export function kept() {
  try {
    const state = JSON.parse(localStorage.getItem(KEY))
    return typeof state?.source === 'string' ? state : null
  } catch {
    return null
  }
}
