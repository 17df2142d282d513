import { emitKeypressEvents, type Key } from 'node:readline'
import type { StopSignal } from '../model/host.ts'

/** Keys that a terminal turns into signals, except in raw mode. */
const SIGNALS: Readonly<Record<string, StopSignal>> = { '\u0003': 'SIGINT', '\u001c': 'SIGQUIT' }

/** Calls back on each key typed on stdin, where stdin is a terminal. Returns a function that gives stdin back. */
export function listenToKeys(onKey: (key: string, text: string) => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  const onKeypress = (text: string | undefined, key: Key) => {
    const signal = SIGNALS[key.sequence ?? '']
    if (signal) raise(signal)
    else onKey(keyName(text, key), typedText(text, key))
  }
  emitKeypressEvents(stdin)
  stdin.on('keypress', onKeypress)
  // A terminal that is closed sends a signal as well.
  stdin.on('error', ignore)
  stdin.setRawMode(true)
  stdin.resume()
  return () => {
    stdin.off('keypress', onKeypress)
    stdin.setRawMode(false)
    // A stream that is read keeps the process alive.
    stdin.pause()
    stdin.off('error', ignore)
  }
}

function ignore(): void {}

/** Calls the listeners of a signal; without any, the signal ends the process. */
function raise(signal: StopSignal): void {
  if (!process.emit(signal, signal)) process.kill(process.pid, signal)
}

function keyName(text: string | undefined, { name, ctrl, meta, sequence }: Key): string {
  return `${ctrl ? 'ctrl+' : ''}${meta ? 'alt+' : ''}${name ?? text ?? sequence ?? ''}`
}

/** The character of a key; empty for keys that only control something. */
function typedText(text: string | undefined, { ctrl, meta }: Key): string {
  return text === undefined || ctrl || meta || /\p{Cc}/u.test(text) ? '' : text
}
