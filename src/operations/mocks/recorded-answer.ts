import { isMapping } from '../../lib/objects.ts'
import type { RecordedCall } from '../../model/recorded-call.ts'

/** The part of a recording that is the answer. */
export type RecordedAnswer = Pick<RecordedCall, 'output' | 'verdict' | 'result' | 'error'>

/** What is recorded of a response of JSON-RPC to a call of a tool; undefined if it is neither a result nor an error. */
export function recordedAnswer(response: Readonly<Record<string, unknown>>): RecordedAnswer | undefined {
  const { result, error } = response
  if (isMapping(error)) {
    const { code, message, data } = error
    const text = typeof message === 'string' ? message : ''
    const kept = {
      code: Number.isSafeInteger(code) ? Number(code) : 0,
      message: text,
      ...(data !== undefined && { data }),
    }
    return { output: text, verdict: 'error', error: kept }
  }
  if (!isMapping(result)) return undefined
  const verdict = result['isError'] === true ? 'error' : 'ok'
  const text = onlyText(result)
  if (text !== undefined) return { output: text, verdict }
  const { structuredContent, content } = result
  return { output: isMapping(structuredContent) ? structuredContent : textsIn(content).join('\n'), verdict, result }
}

/** The text of a result that has nothing else. */
function onlyText({ content, isError, ...others }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(content) || content.length !== 1 || Object.keys(others).length > 0) return undefined
  const [block] = content
  const [text] = textsIn(content)
  return isMapping(block) && Object.keys(block).length === 2 ? text : undefined
}

function textsIn(content: unknown): string[] {
  const blocks = Array.isArray(content) ? content.filter(isMapping) : []
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
}
