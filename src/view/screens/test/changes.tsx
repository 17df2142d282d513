import { useState } from 'preact/hooks'
import { plural } from '../../../lib/text/format.ts'
import type { FileChange } from '../../../model/changes.ts'
import { changeNotes } from '../../../report/changes-text.ts'
import { format } from '../../parts/format.ts'

/** Files shown initially and per click. */
const FILES = 100

/** Lines of a diff shown initially; a diff with fewer is open. */
const FIRST_LINES = 400
const OPEN_LINES = 40

interface Props {
  readonly changes: readonly FileChange[] | undefined
}

/** What the agent changed in its workspace, with the diff of each file. */
export function Changes({ changes }: Props) {
  const [shown, setShown] = useState(FILES)
  if (!changes) return null
  const rest = changes.length - shown
  return (
    <section class="changes" aria-labelledby="changes-name">
      <h2 id="changes-name">Changed files</h2>
      <p class="faint">{countsText(changes)}</p>
      <ul class="changed-files">
        {changes.slice(0, shown).map(change => (
          <ChangedFile key={change.path} change={change} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" onClick={() => setShown(shown + FILES)}>
          {`Show ${Math.min(FILES, rest)} more of ${format.count(rest)}`}
        </button>
      )}
    </section>
  )
}

function countsText(changes: readonly FileChange[]): string {
  if (changes.length === 0) return 'No files changed.'
  const count = (state: FileChange['state']) => changes.filter(change => change.state === state).length
  const states = (['created', 'modified', 'deleted'] as const).filter(state => count(state) > 0)
  return `${plural(changes.length, 'file')}: ${states.map(state => `${format.count(count(state))} ${state}`).join(', ')}`
}

function ChangedFile({ change }: { readonly change: FileChange }) {
  const { path, state, diff, before, after } = change
  const lines = diff?.split('\n').slice(0, -1) ?? []
  const sizes = [before, after].flatMap(side => (side ? [`${format.count(side.size)} B`] : []))
  return (
    <li class={`changed-file ${state}`}>
      <div class="change-head">
        <span class="change-state">{state}</span>
        <code>{path}</code>
        <span class="fact">{sizes.join(' → ')}</span>
      </div>
      {changeNotes(change).map(note => (
        <p class="faint">{note}</p>
      ))}
      {lines.length > 0 && (
        <details open={lines.length <= OPEN_LINES}>
          <summary>{`Diff of ${plural(lines.length, 'line')}`}</summary>
          <Diff lines={lines} />
        </details>
      )}
    </li>
  )
}

/** The lines of a diff; the rest of a long one on click. */
function Diff({ lines }: { readonly lines: readonly string[] }) {
  const [isWhole, setWhole] = useState(lines.length <= FIRST_LINES)
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long diff scrolls, also by keyboard */}
      <pre class="diff" tabIndex={0}>
        {(isWhole ? lines : lines.slice(0, FIRST_LINES)).map(diffLine)}
      </pre>
      {!isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          {`Show all ${format.count(lines.length)} lines`}
        </button>
      )}
    </div>
  )
}

/** What each mark means. Added and removed lines keep their marks, so that colours are not needed. */
const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk', '\\': 'hunk' }

function diffLine(line: string) {
  const kind = KINDS[line[0] ?? ''] ?? 'same'
  const Tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
  return <Tag class={`diff-line ${kind}`}>{`${line}\n`}</Tag>
}
