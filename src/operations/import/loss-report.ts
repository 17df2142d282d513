import type { ImportNote, TestCounts } from '../../import/import-notes.ts'
import { groupBy } from '../../lib/collections.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Location } from '../../model/location.ts'

/** The same loss in several places. */
export interface LossKind extends Pick<ImportNote, 'loss' | 'message'> {
  /** Each place once. */
  readonly places: readonly Location[]
}

/** Groups losses: what is missing comes before what works differently, and both before notes. */
export function lossKinds(notes: readonly ImportNote[]): LossKind[] {
  const kinds = [...groupBy(notes, ({ loss, message }) => `${loss} ${message}`).values()].map(group => {
    const [{ loss, message }] = group
    const places = new Map(group.map(({ at }) => [`${at.file}:${at.line}:${at.column}`, at]))
    return { loss, message, places: [...places.values()] }
  })
  return kinds.sort((a, b) => ORDER.indexOf(a.loss) - ORDER.indexOf(b.loss))
}

const ORDER: readonly ImportNote['loss'][] = ['left out', 'approximated', 'note']

/** What became of the tests. */
export function countsText({ carried_over, approximated, left_out }: TestCounts): string {
  return `${plural(carried_over, 'test')} carried over, ${approximated} approximated, ${left_out} left out`
}

/** The first line of the file. */
export const REPORT_HEADING = '# What was not carried over'

/** A file with every loss and all its places. */
export function lossReport(notes: readonly ImportNote[], tests: TestCounts, pathOf: (file: string) => string): string {
  const kinds = lossKinds(notes).map(({ loss, message, places }) => {
    const lines = places.map(({ file, line, column }) => `- ${printableLine(pathOf(file))}:${line}:${column}`)
    return `\n## ${loss}: ${printableLine(message)}\n\n${lines.join('\n')}\n`
  })
  return `${REPORT_HEADING}\n\n${countsText(tests)}\n${kinds.join('')}`
}
