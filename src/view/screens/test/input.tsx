import { isMapping } from '../../../lib/objects.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { Result } from '../../../model/result.ts'
import { Folded } from '../../parts/folded.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Content, type ImageLookup } from './content.tsx'

interface Props {
  readonly result: Result
  readonly imageOf: ImageLookup
}

/** The messages that the target was given. */
export function Input({ result: { input }, imageOf }: Props) {
  return (
    <section class="panel input" aria-labelledby="input-name">
      <h2 id="input-name">Input</h2>
      <Folded name="the input">{() => input.map(message => <Message message={message} imageOf={imageOf} />)}</Folded>
    </section>
  )
}

/** A message in any recorded form. */
function Message({ message, imageOf }: { readonly message: unknown; readonly imageOf: ImageLookup }) {
  if (!isMapping(message)) return <LongText text={asText(message)} />
  const { role, content, tool_calls } = message
  return (
    <div class="message">
      <p class="role">{asText(role ?? '')}</p>
      <Content content={content} imageOf={imageOf} />
      {tool_calls !== undefined && <LongText text={asText(tool_calls)} />}
    </div>
  )
}
