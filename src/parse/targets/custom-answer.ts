import { madeOf } from '../../lib/schemas/deferred.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type * as z from '../../lib/zod.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import { type Answer, answerSchema, NoAnswer } from '../../model/answer.ts'

/** The keys of an answer with values of any kind, which a schema does not copy. */
const NESTED = ['output_messages', 'other_events', 'mock_calls', 'state'] as const

/** Checks the answer of a module. Throws `NoAnswer` if it is not one. */
export function checkAnswer(given: unknown, path: string): Answer {
  const checked = checkedAnswer(given, path)
  const json = jsonOf(checked, path)
  // The module may change its objects later, and some are not what JSON makes of them: what is graded must be what is
  // recorded.
  return NESTED.some(key => checked[key] !== undefined) ? checkedAnswer(JSON.parse(json), path) : checked
}

function checkedAnswer(given: unknown, path: string): Answer {
  const answer = checkReturned(answerSchema(), given, 'an invalid answer', path)
  // Only Assay itself sets these fields.
  const { workspace_path, cached, failed_calls, ...rest } = answer
  return rest
}

/** Throws if an answer cannot be recorded as JSON. */
function jsonOf(answer: Answer, path: string): string {
  try {
    return JSON.stringify(answer)
  } catch (error) {
    throw new NoAnswer(
      'bad-response',
      `${quoteCode(path)} returned an answer that is not JSON: ${(error as Error).message}`,
    )
  }
}

/** Checks what a function of a module returned. Throws `NoAnswer` if it has another shape. */
export function checkReturned<Schema extends z.ZodType>(schema: Schema, given: unknown, what: string, path: string) {
  // By zod, which copies it: the module may change what it returned.
  const checked = madeOf(schema).safeParse(given)
  if (checked.success) return checked.data as z.output<Schema>
  const problem = firstProblem(checked.error)
  const where = problem.path === '' ? '' : ` at \`${problem.path}\``
  throw new NoAnswer('bad-response', `${quoteCode(path)} returned ${what}${where}: ${problem.message}`)
}
