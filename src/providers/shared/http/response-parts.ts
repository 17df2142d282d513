import { parseJsonPath, valueAt } from '../../../lib/json-path.ts'
import { shown } from '../../../lib/shown.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import type { AnswerParts } from '../answer-parts.ts'

/** Parts without which there is no answer; the others may be absent. */
const NEEDED = ['text', 'output_messages']

/** The parts of an answer at paths of a response, which is `text` parsed. */
export function partsAt(
  text: string,
  response: unknown,
  paths: Readonly<Record<string, string | undefined>>,
): AnswerParts {
  const parts: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(paths)) {
    if (path === undefined) continue
    const steps = parseJsonPath(path)
    const found = steps && valueAt(response, steps)
    if (found) parts[name] = found.value
    else if (NEEDED.includes(name)) {
      throw new NoAnswer('bad-response', `the response has nothing at ${shown(path)}; it is ${shown(text.trim())}`)
    }
  }
  return parts
}
