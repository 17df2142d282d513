import type { RefObject } from 'preact'
import { type GivenLabel, LONGEST_NOTE } from '../../../model/shown-answer.ts'
import type { Sample } from './use-sample.ts'

interface Props {
  readonly sample: Sample
  readonly note: RefObject<HTMLInputElement | null>
  readonly help: RefObject<HTMLDetailsElement | null>
  readonly heading: RefObject<HTMLElement | null>
}

const LABEL_BUTTONS: readonly (readonly [label: GivenLabel, name: string])[] = [
  ['pass', 'Pass'],
  ['fail', 'Fail'],
  ['unsure', 'Unsure'],
]

/** The buttons that label an answer, each with its key. */
export function LabelActions({ sample, note, help, heading }: Props) {
  const { page } = sample
  return (
    <footer class="label-actions">
      <Note sample={sample} note={note} heading={heading} />
      <div class="label-buttons">
        {LABEL_BUTTONS.map(([label, name]) => (
          <button
            type="button"
            class={label}
            disabled={!page}
            aria-pressed={page?.earlier?.label === label}
            aria-keyshortcuts={label.charAt(0)}
            onClick={() => sample.label(label, note.current?.value ?? '')}
          >
            {name} <kbd>{label.charAt(0)}</kbd>
          </button>
        ))}
        <button type="button" disabled={!page} aria-keyshortcuts="s" onClick={sample.skip}>
          Skip <kbd>s</kbd>
        </button>
        <button type="button" disabled={!sample.can_go_back} aria-keyshortcuts="b" onClick={sample.back}>
          Back <kbd>b</kbd>
        </button>
      </div>
      <Help help={help} />
    </footer>
  )
}

/** Return and Escape leave the field; Return keeps the note, and writes it if the answer has a label. */
function Note({ sample, note, heading }: Omit<Props, 'help'>) {
  const { page } = sample
  const earlier = page?.earlier
  const press = ({ key, currentTarget }: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    if (key === 'Escape') currentTarget.value = earlier?.note ?? ''
    if (key !== 'Escape' && key !== 'Enter') return
    heading.current?.focus()
    if (key === 'Enter' && earlier && typeof earlier.label !== 'number')
      sample.label(earlier.label, currentTarget.value)
  }
  return (
    <div class="label-note">
      <label for="note">Note</label>
      <input
        // Each answer has its own note.
        key={page?.number ?? 0}
        id="note"
        type="text"
        ref={note}
        maxLength={LONGEST_NOTE}
        autocomplete="off"
        disabled={!page}
        defaultValue={earlier?.note ?? ''}
        onKeyDown={press}
      />
    </div>
  )
}

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['p', 'the answer passes'],
  ['f', 'the answer fails'],
  ['u', 'unsure: kept, but counts in no figure'],
  ['s', 'skip: nothing is written, and the answer comes again next time'],
  ['n', 'add a note to the label: type a line, then Return'],
  ['b', 'back to the previous answer, to change its label'],
  ['?', 'open or close this help'],
]

function Help({ help }: Pick<Props, 'help'>) {
  return (
    <details class="help" ref={help}>
      <summary>Keys</summary>
      <p>Does the answer pass, by its question, criteria and checks? Leave out checks on what you cannot see.</p>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}
