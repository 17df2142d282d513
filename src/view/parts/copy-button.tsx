import { useState } from 'preact/hooks'

interface Props {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly what: string
}

/** A button that copies a text and announces it to screen readers. */
export function CopyButton({ text, what }: Props) {
  const [status, setStatus] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setStatus('copied'),
      () => setStatus('copying is not available'),
    )
  return (
    <span class="copy">
      <button type="button" class="small" aria-label={`Copy ${what}`} onClick={copy}>
        Copy
      </button>
      <span class="said" role="status">
        {status}
      </span>
    </span>
  )
}
