import { plural } from '../../../lib/text/format.ts'
import type { FileChange } from '../../../model/changes.ts'
import { changeNotes } from '../../../report/changes-text.ts'
import { el, refill } from '../../dom/element.ts'
import { format } from '../../parts/format.ts'

/** Files shown initially and per click. */
const FILES = 100

/** Lines of a diff shown initially; a diff with fewer is open. */
const FIRST_LINES = 400
const OPEN_LINES = 40

interface ChangedFiles {
  readonly changes?: readonly FileChange[] | undefined
}

/** What the agent changed in its workspace, with the diff of each file. */
export function changesSection({ changes }: ChangedFiles): HTMLElement[] {
  if (!changes) return []
  const count = (state: FileChange['state']) => changes.filter(change => change.state === state).length
  const states = (['created', 'modified', 'deleted'] as const).filter(state => count(state) > 0)
  const counts = states.map(state => `${format.count(count(state))} ${state}`).join(', ')
  return [
    el(
      'section',
      { class: 'changes', 'aria-labelledby': 'changes-name' },
      el('h2', { id: 'changes-name' }, 'Changed files'),
      el(
        'p',
        { class: 'faint' },
        changes.length === 0 ? 'No files changed.' : `${plural(changes.length, 'file')}: ${counts}`,
      ),
      ...filesIn(changes),
    ),
  ]
}

function filesIn(changes: readonly FileChange[]): HTMLElement[] {
  const list = el('ul', { class: 'changed-files' })
  const more = el('button', { type: 'button', click: show })
  let shown = 0
  function show(): void {
    list.append(...changes.slice(shown, shown + FILES).map(fileItem))
    shown = Math.min(changes.length, shown + FILES)
    refill(more, `Show ${Math.min(FILES, changes.length - shown)} more of ${format.count(changes.length - shown)}`)
    more.hidden = shown === changes.length
  }
  show()
  return [list, more]
}

function fileItem(change: FileChange): HTMLElement {
  const { path, state, diff, before, after } = change
  const lines = diff?.split('\n').slice(0, -1) ?? []
  const sizes = [before, after].flatMap(side => (side ? [`${format.count(side.size)} B`] : []))
  return el(
    'li',
    { class: `changed-file ${state}` },
    el(
      'div',
      { class: 'change-head' },
      el('span', { class: 'change-state' }, state),
      el('code', {}, path),
      el('span', { class: 'fact' }, sizes.join(' → ')),
    ),
    ...changeNotes(change).map(note => el('p', { class: 'faint' }, note)),
    lines.length > 0 &&
      el(
        'details',
        { open: lines.length <= OPEN_LINES },
        el('summary', {}, `Diff of ${plural(lines.length, 'line')}`),
        diffTable(lines),
      ),
  )
}

/** The lines of a diff; the rest of a long one on click. */
function diffTable(lines: readonly string[]): HTMLElement {
  const pre = el('pre', { class: 'diff', tabindex: '0' }, ...lines.slice(0, FIRST_LINES).map(diffLine))
  if (lines.length <= FIRST_LINES) return pre
  const button = el('button', { type: 'button', click: showAll }, `Show all ${format.count(lines.length)} lines`)
  function showAll(): void {
    pre.append(...lines.slice(FIRST_LINES).map(diffLine))
    button.remove()
  }
  return el('div', {}, pre, button)
}

/** What each mark means. Added and removed lines keep their marks, so that colours are not needed. */
const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk', '\\': 'hunk' }

function diffLine(line: string): HTMLElement {
  const kind = KINDS[line[0] ?? ''] ?? 'same'
  const tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
  return el(tag, { class: `diff-line ${kind}` }, `${line}\n`)
}
