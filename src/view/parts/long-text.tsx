import { useState } from 'preact/hooks'
import { truncate } from '../../lib/text/quote.ts'
import { format } from './format.ts'

/** Characters shown initially: a browser takes seconds for a megabyte. */
const FIRST_CHARACTERS = 8_000

/** Shows a text; the rest of a very long one on click. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(text.length <= FIRST_CHARACTERS)
  if (isWhole) return <pre>{text}</pre>
  return (
    <div>
      <pre>{truncate(text, FIRST_CHARACTERS)}</pre>
      <button type="button" onClick={() => setWhole(true)}>
        Show all {format.count(text.length)} characters
      </button>
    </div>
  )
}
