import type { Palette } from '../../lib/palette.ts'
import { printable, printableLine } from '../../lib/text/escape.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { displayWidth } from '../../lib/text/unicode.ts'
import { wrapText } from '../../lib/text/wrap.ts'
import type { FileChange } from '../../model/changes.ts'
import type { EarlierLabel, LabelPage, ShownAnswer } from '../../model/shown-answer.ts'
import { changeNotes } from '../../report/changes-text.ts'
import { cutLine, type ScreenSize } from './screen.ts'

/** Another screen, without a cursor and without wrapping, where pasted text is marked as such. */
export const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h'
export const LEAVE_SCREEN = '\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l'

/** What a screen shows: lines to scroll in, between a head and lines at the bottom. */
export interface ScreenContent {
  readonly head: string
  readonly body: readonly string[]
  /** The first line of the body that is shown. */
  readonly top: number
  readonly foot: readonly string[]
}

/** Texts of agents are indented, so that they cannot look like ours. */
const INDENT = '  '

/** The number of lines of the body that fit on a screen. */
export function bodyRows({ foot }: Pick<ScreenContent, 'foot'>, { rows }: ScreenSize): number {
  // Besides the head, a blank line, and the line that says how much follows.
  return Math.max(1, rows - foot.length - 3)
}

/** Draws a screen over the last one, line by line. */
export function drawScreen(content: ScreenContent, size: ScreenSize): string {
  const { head, body, top, foot } = content
  const fitting = bodyRows(content, size)
  const shown = body.slice(top, top + fitting)
  const below = Math.max(0, body.length - top - fitting)
  const rest = below > 0 ? `↓ ${formatInteger(below)} more ${below === 1 ? 'line' : 'lines'}` : ''
  const blank = Array.from({ length: fitting - shown.length }, () => '')
  const lines = [head, '', ...shown, ...blank, rest, ...foot].slice(0, size.rows)
  return `\u001b[H${lines.map(line => `${line}\u001b[K`).join('\r\n')}\u001b[J`
}

/** `Answer 12 of 50`, and who labels. */
export function headLine({ number, of, by, earlier }: LabelPage, { columns }: ScreenSize, palette: Palette): string {
  const said = earlier ? ` · labelled ${earlierText(earlier)}` : ''
  return palette.strong(cutLine(printableLine(`Answer ${number} of ${of} · ${by}${said}`), columns))
}

function earlierText({ label, note }: EarlierLabel): string {
  return `${label}${note === undefined ? '' : `: ${note}`}`
}

/** Everything that a person sees of an answer. */
export function answerLines(shown: ShownAnswer, { columns }: ScreenSize, palette: Palette): string[] {
  const { question, criteria, note, checks, expected, answer, changes, calls } = shown
  const section = (name: string, text: string | undefined) =>
    text === undefined ? [] : [palette.strong(name), ...indented(text, columns), '']
  return [
    ...section('Question', question),
    ...section('Criteria', criteria),
    ...section('Note of the test', note),
    ...listSection('Checks', checks, columns, palette),
    ...section('Expected output', expected),
    ...section('Answer', answer === '' ? '(empty)' : answer),
    ...changedFiles(changes, columns, palette),
    ...(calls ? listSection('Tool calls', calls.length === 0 ? ['none'] : calls, columns, palette) : []),
  ].slice(0, -1)
}

function listSection(name: string, texts: readonly string[], columns: number, palette: Palette): string[] {
  if (texts.length === 0) return []
  const items = texts.flatMap(text =>
    indented(text, columns - 2).map(
      (line, index) => `${INDENT}${index === 0 ? '- ' : '  '}${line.slice(INDENT.length)}`,
    ),
  )
  return [palette.strong(name), ...items, '']
}

/** Wrapped and indented lines of a text, with characters that could control the terminal made visible. */
function indented(text: string, columns: number): string[] {
  const safe = printable(text.replaceAll('\r\n', '\n'))
  // The last column stays free: some terminals wrap as soon as it is filled.
  return wrapText(safe, columns - INDENT.length - 1).map(line => `${INDENT}${line}`)
}

function changedFiles(changes: readonly FileChange[] | undefined, columns: number, palette: Palette): string[] {
  if (!changes) return []
  const files = changes.flatMap(change => [
    ...indented(`${change.state} ${change.path.replaceAll('\n', '↵')}`, columns),
    ...changeNotes(change).flatMap(note => indented(note, columns)),
    ...diffLines(change.diff ?? '', columns, palette),
  ])
  return [palette.strong('Changed files'), ...(files.length > 0 ? files : [`${INDENT}none`]), '']
}

const MARKS: Readonly<Record<string, keyof Palette>> = { '+': 'good', '-': 'error', '@': 'faint' }

function diffLines(diff: string, columns: number, palette: Palette): string[] {
  return diff
    .split('\n')
    .slice(0, -1)
    .flatMap(line => {
      const mark = MARKS[line[0] ?? '']
      const parts = indented(line, columns - INDENT.length).map(part => `${INDENT}${part}`)
      return mark ? parts.map(palette[mark]) : parts
    })
}

const KEYS = ['p pass', 'f fail', 'u unsure', 's skip', 'n note', 'b back', '? help', 'q quit']

/** The keys, on as many lines as they need. */
export function keyLines({ columns }: ScreenSize, palette: Palette, keys: readonly string[] = KEYS): string[] {
  const lines: string[] = []
  for (const key of keys) {
    const joined = lines.length === 0 ? key : `${lines.at(-1)}   ${key}`
    if (lines.length > 0 && displayWidth(joined) < columns) lines[lines.length - 1] = joined
    else lines.push(key)
  }
  return lines.map(palette.faint)
}

/** The note that is being typed: its end, if it is too long. */
export function noteLines(note: string, size: ScreenSize, palette: Palette): string[] {
  const room = Math.max(8, size.columns - 'note: ▏'.length - 1)
  let text = printableLine(note)
  while (displayWidth(text) > room) text = text.slice(1)
  return [`note: ${text}▏`, ...keyLines(size, palette, ['Return keeps the note', 'Escape drops it'])]
}

export const HELP: readonly string[] = [
  'Does the answer pass, by its question, criteria and checks?',
  'You see neither the agent nor the verdict of the judge, so that your label is independent of them.',
  '',
  'p        the answer passes',
  'f        the answer fails',
  'u        unsure: kept, but counts in no figure',
  's        skip: nothing is written, and the answer comes again next time',
  'n        add a note to the label: type a line, then Return',
  'b        back to the previous answer, to change its label; the newest label counts',
  'q        quit; labels are written at once, so start again at any time',
  '',
  '↑ ↓      scroll by a line',
  'Space    scroll by a page, as Page Down does; Page Up scrolls back',
  'Home End the beginning and the end',
  '',
  'Leave out checks on what you cannot see, such as time, cost and tokens.',
]
