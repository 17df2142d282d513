import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { ImportResult } from '../../operations/import/import-suites.ts'
import { countsText, type LossKind, lossKinds } from '../../operations/import/loss-report.ts'

type Path = (file: string) => string

/** Most kinds of losses in the text, so that it fits a screen together with the names of the files. */
const MOST_KINDS = 7

/** Most files that are named. */
const MOST_FILES = 4

const WIDTH = 80

/** What was imported, and what was not carried over as it is, with places. */
export function importText({ formats, tests, notes, report }: ImportResult, path: Path, palette: Palette): string {
  const kinds = lossKinds(notes)
  const shown = kinds.slice(0, MOST_KINDS)
  const more = kinds.length - shown.length
  const where = report === undefined ? 'see all with --json' : `see ${printableLine(path(report))}`
  const lines = [
    [...formats].map(([title, count]) => (count === 1 ? title : `${count} × ${title}`)).join(', '),
    countsText(tests),
    ...shown.flatMap(({ loss, message, places }) => {
      const word = loss === 'approximated' ? palette.warning(loss) : palette.error(loss)
      const room = WIDTH - `  ${loss}: `.length
      return [`  ${word}: ${clipped(printableLine(message), room)}`, `    ${placesText(places, path)}`]
    }),
    ...(more > 0 ? [`  and ${plural(more, 'more kind')} of losses: ${where}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** Names the files that were written, or would be. */
export function filesText(files: ImportResult['files'], wrote: string, path: Path): string {
  const shown = files.slice(0, files.length > MOST_FILES + 1 ? MOST_FILES : files.length)
  const more = files.length - shown.length
  const lines = shown.map(file => `${file.isNew ? wrote : 'unchanged'} ${printableLine(path(file.path))}\n`)
  return `${lines.join('')}${more > 0 ? `and ${more} more files\n` : ''}`
}

/** As many places as fit a line, and how many more there are. */
function placesText(places: LossKind['places'], path: Path): string {
  const texts = places.map(({ file, line, column }) => `${printableLine(path(file))}:${line}:${column}`)
  const rest = (count: number) => (texts.length > count ? ` and ${texts.length - count} more` : '')
  for (let count = Math.min(3, texts.length); count > 1; count--) {
    const line = `${texts.slice(0, count).join(', ')}${rest(count)}`
    if (line.length <= WIDTH - 4) return line
  }
  return `${texts[0] ?? ''}${rest(1)}`
}

function clipped(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
