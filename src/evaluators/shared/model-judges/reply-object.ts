import { cutText } from '../../../lib/cut-text.ts'
import { jsonObjectsIn } from '../../../lib/json-objects.ts'
import { parseJson } from '../../../lib/parse-json.ts'

/**
 * The JSON of a judge's reply: the whole of it, or the one object among its words. One that stands in what is judged as
 * well is a quotation: an answer that shows how a verdict looks has given none.
 */
export function replyObject(reply: string, judged: string): { readonly value: unknown } | { readonly problem: string } {
  const whole = parseJson(withoutFence(reply.trim()))
  if (whole !== undefined) return { value: whole }
  const objects = [...jsonObjectsIn(reply)]
  if (objects.length === 0) return { problem: `it is not JSON: ${cutText(reply.trim(), 100) || 'nothing'}` }
  const bareJudged = bare(judged)
  const own = objects.filter(text => !bareJudged.includes(bare(text)))
  const [object] = own
  if (object === undefined) return { problem: 'the JSON in it is a quotation from what is judged' }
  if (own.some(other => bare(other) !== bare(object))) return { problem: 'it has more than one JSON object' }
  return { value: parseJson(object) }
}

/** What stands in a reply that is one fenced block; in another one, this is no JSON either. */
function withoutFence(reply: string): string {
  const lines = reply.split('\n')
  const isBlock = /^```\w*\s*$/.test(lines[0] ?? '') && lines.at(-1) === '```'
  return isBlock ? lines.slice(1, -1).join('\n') : reply
}

/** Without blanks and escapes: quotations are laid out anew, or come out of a text that stands in JSON itself. */
function bare(text: string): string {
  return text.replace(/\\[nrt]|\\(?=["\\/])|\s/g, '')
}
