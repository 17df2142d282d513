import { truncate } from '../../lib/text/quote.ts'
import { Folded } from './folded.tsx'
import { format } from './format.ts'
import { Markdown } from './markdown/markdown.tsx'

/** How the texts of agents are shown. */
export type TextForm = 'text' | 'markdown'

interface Props {
  readonly text: string
  readonly form: TextForm
  /** What it is, for the name of its buttons. */
  readonly name: string
}

/** Characters shown until it is opened: a browser takes seconds for a megabyte. */
const FIRST_CHARACTERS = 8_000

/** A text of an agent, folded at a height. */
export function WrittenText({ text, form, name }: Props) {
  const isLong = text.length > FIRST_CHARACTERS
  return (
    <Folded name={name} all={isLong ? `${format.count(text.length)} characters` : undefined}>
      {isOpen => {
        const shown = isOpen ? text : truncate(text, FIRST_CHARACTERS)
        return form === 'text' ? <pre>{shown}</pre> : <Markdown text={shown} />
      }}
    </Folded>
  )
}

interface ToggleProps {
  readonly form: TextForm
  readonly onChange: (form: TextForm) => void
}

const FORMS: readonly (readonly [form: TextForm, name: string])[] = [
  ['text', 'Text'],
  ['markdown', 'Markdown'],
]

/** Chooses between plain text and Markdown. */
export function FormToggle({ form, onChange }: ToggleProps) {
  return (
    <fieldset class="form-toggle">
      <legend class="for-readers">Show texts as</legend>
      {FORMS.map(([each, name]) => (
        <button type="button" class="small" aria-pressed={form === each} onClick={() => onChange(each)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
