import { useState } from 'preact/hooks'
import { truncate } from '../../lib/text/quote.ts'
import { Folded } from './folded.tsx'
import { format } from './format.ts'
import { LongText } from './long-text.tsx'
import { Markdown } from './markdown/markdown.tsx'

/** How the texts of agents are shown. */
export type TextForm = 'text' | 'markdown'

interface Props {
  readonly text: string
  readonly form: TextForm
  /** What it is, for the name of its buttons. */
  readonly name: string
}

/** Characters of Markdown shown initially. */
const FIRST_CHARACTERS = 8_000

/** A text of an agent, folded at a height. */
export function WrittenText({ text, form, name }: Props) {
  return <Folded name={name}>{form === 'text' ? <LongText text={text} /> : <LongMarkdown text={text} />}</Folded>
}

function LongMarkdown({ text }: Pick<Props, 'text'>) {
  const [isWhole, setWhole] = useState(text.length <= FIRST_CHARACTERS)
  if (isWhole) return <Markdown text={text} />
  return (
    <div>
      <Markdown text={truncate(text, FIRST_CHARACTERS)} />
      <button type="button" onClick={() => setWhole(true)}>
        Show all {format.count(text.length)} characters
      </button>
    </div>
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
