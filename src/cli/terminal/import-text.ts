import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { wrapText } from '../../lib/text/wrap.ts'
import type { ImportResult } from '../../operations/import/import-suites.ts'
import { countsText, type LossKind, lossKinds } from '../../operations/import/loss-report.ts'

type Path = (file: string) => string

/** Most lines about losses, so that they fit a screen together with the names of the files. */
const MOST_LINES = 14

/** Most files that are named. */
const MOST_FILES = 4

const WIDTH = 80

/** What was imported, and what was not carried over as it is, with places. */
export function importText({ formats, tests, notes, report }: ImportResult, path: Path, palette: Palette): string {
  const kinds = lossKinds(notes).map(kind => kindLines(kind, path, palette))
  const shown: string[] = []
  let count = 0
  for (const lines of kinds) {
    if (shown.length + lines.length > MOST_LINES) break
    shown.push(...lines)
    count++
  }
  const more = kinds.length - count
  const where = report === undefined ? 'see all with --json' : `see ${printableLine(path(report))}`
  const lines = [
    [...formats].map(([title, count]) => (count === 1 ? title : `${count} × ${title}`)).join(', '),
    countsText(tests),
    ...shown,
    ...(more > 0 ? [`  and ${more} more: ${where}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** A loss and its places. */
function kindLines({ loss, message, places }: LossKind, path: Path, palette: Palette): string[] {
  const [first = '', ...rest] = wrapText(`${loss}: ${printableLine(message)}`, WIDTH - '    '.length)
  const word = loss === 'left out' ? palette.error(loss) : palette.warning(loss)
  const indented = [...rest, placesText(places, path)].map(line => `    ${line}`)
  return [`  ${word}${first.slice(loss.length)}`, ...indented]
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
