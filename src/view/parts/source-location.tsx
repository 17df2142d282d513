import { wellFormed } from '../../lib/text/unicode.ts'
import { CopyButton } from './copy-button.tsx'

interface Props {
  readonly file: string
  readonly line: number
  /** Whether the page may link to it: next to a report on a web server, but not in `assay view`. */
  readonly has_link: boolean
}

/** A source location. Paths are relative to the root of the run, so only a page from a web server can link to them. */
export function SourceLocation({ file, line, has_link }: Props) {
  const text = `${file}:${line}`
  const isNear = has_link && !/^([/\\]|[a-z]:)/i.test(file) && location.protocol.startsWith('http')
  const href = `./${wellFormed(file).split('/').map(encodeURIComponent).join('/')}#L${line}`
  const code = <code>{text}</code>
  return (
    <span class="place">
      {isNear ? <a href={href}>{code}</a> : code}
      <CopyButton text={text} what={text} />
    </span>
  )
}
