import { cutToWidth } from '../../lib/text/unicode.ts'
import type { HostClock } from '../../model/host.ts'

/** Where progress is drawn. */
export interface Screen {
  readonly clock: Pick<HostClock, 'elapsed' | 'setTimer'>
  write(text: string): void
  columns(): number | undefined
}

/** The size of a terminal. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
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

/** Cuts a line so that it does not wrap, and leaves the last column free: some terminals wrap as soon as it is filled. */
export function cutLine(line: string, columns: number): string {
  return cutToWidth(line.replaceAll('\t', ' '), columns - 1)
}
