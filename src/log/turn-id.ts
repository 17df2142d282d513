import type { Log } from './log.ts'

/** The id of the test that a turn of a log becomes. */
export function turnId({ name, turns }: Log, index: number): string {
  return turns.length > 1 ? `${name}-${index + 1}` : name
}
