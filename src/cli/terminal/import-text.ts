import { groupBy } from '../../lib/collections.ts'
import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Location } from '../../model/location.ts'
import type { ImportResult } from '../../operations/import/import-suites.ts'

type Path = (file: string) => string

/** Most kinds of losses in a report, so that it fits a screen. */
const MOST_KINDS = 12

/** Most places of one kind of loss. */
const MOST_PLACES = 3

/** What was imported, and what was not carried over as it is, with places. */
export function importText({ formats, tests, notes }: ImportResult, path: Path, palette: Palette): string {
  const kinds = [...groupBy(notes, ({ loss, message }) => `${loss} ${message}`).values()]
  const sorted = kinds.sort(([a], [b]) => Number(a.loss === 'approximated') - Number(b.loss === 'approximated'))
  const shown = sorted.slice(0, MOST_KINDS)
  const more = sorted.length - shown.length
  const lines = [
    [...formats].map(([title, count]) => (count === 1 ? title : `${count} × ${title}`)).join(', '),
    `${plural(tests.carried_over, 'test')} carried over, ${tests.approximated} approximated, ${tests.left_out} left out`,
    ...shown.flatMap(group => {
      const [{ loss, message }] = group
      const word = loss === 'approximated' ? palette.warning(loss) : palette.error(loss)
      return [`  ${word}: ${printableLine(message)}`, `    ${placesText(group, path)}`]
    }),
    ...(more > 0 ? [`  and ${plural(more, 'more kind')} of losses: see all with --json`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The first places, each once, and how many there are. */
function placesText(group: readonly { readonly at: Location }[], path: Path): string {
  const places = [...new Set(group.map(({ at }) => `${printableLine(path(at.file))}:${at.line}:${at.column}`))]
  const more = places.length - MOST_PLACES
  return `${places.slice(0, MOST_PLACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
