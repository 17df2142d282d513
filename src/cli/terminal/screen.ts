import { displayWidth } from '../../lib/text/unicode.ts'
import type { HostClock } from '../../model/host.ts'

/** Where progress is drawn. */
export interface Screen {
  readonly clock: Pick<HostClock, 'elapsed' | 'setTimer'>
  write(text: string): void
  columns(): number | undefined
}

/** Calls back after each interval; returns a function that cancels it. */
export function repeat(ms: number, call: () => void, clock: Screen['clock']): () => void {
  let cancel = () => {}
  const next = () => {
    call()
    cancel = clock.setTimer(ms, next)
  }
  cancel = clock.setTimer(ms, next)
  return () => cancel()
}

/** Cuts a line so that it does not wrap. */
export function cutLine(line: string, columns: number): string {
  if (displayWidth(line) < columns) return line
  let kept = ''
  let width = 0
  for (const character of line) {
    width += displayWidth(character)
    if (width > columns - 2) break
    kept += character
  }
  return `${kept}…`
}
