import { type Check, nestedChecks } from '../../model/check.ts'
import { expectedText, messageText } from '../../model/message.ts'
import type { Test } from '../../model/test.ts'
import type { EvalItem } from '../../spec/evals-json.ts'

interface Ids {
  readonly id: number
  readonly source_id?: string
}

/** Converts a test into an item of evals.json. */
export function evalItem(test: Test, { id, source_id }: Ids, should_trigger: boolean | undefined): EvalItem {
  const files = filesOf(test)
  const expected_output = expectedText(test.expected_output, 0)
  // Messages without text of the assistant expect nothing that can be written here.
  const isExpected = expected_output !== undefined && (expected_output !== '' || test.expected_output === '')
  return {
    id,
    prompt: promptOf(test),
    ...(isExpected ? { expected_output } : {}),
    ...(files.length === 0 ? {} : { files }),
    ...(should_trigger === undefined ? {} : { should_trigger }),
    assertions: statementsOf(test),
    ...(source_id === undefined ? {} : { source_id }),
  }
}

/** Returns the text of the last user message. */
export function promptOf({ input }: Test): string {
  return messageText(input.findLast(({ role }) => role === 'user'))
}

/** Returns the files of all messages, as written. */
function filesOf({ input }: Test): string[] {
  return input.flatMap(({ content = [] }) =>
    content.flatMap(block => (block.type === 'file' ? [String(block.value)] : [])),
  )
}

/** Returns the statements about an answer: the criteria, then each check. Checks of skills are not about the answer. */
function statementsOf({ criteria, checks }: Test): string[] {
  const said = checks.flatMap(check => sentencesOf(check, false)).filter(sentence => sentence.trim() !== '')
  if (criteria === undefined) return said
  // A test without checks has its criteria as its only check.
  return said.length === 1 && said[0] === criteria ? said : [criteria, ...said]
}

/** Returns the sentences of a check. `isNegated`: whether the surrounding check is negated. */
function sentencesOf(check: Check, isNegated: boolean): readonly string[] {
  const { evaluator } = check
  if (evaluator.trigger) return []
  const negate = check.negate !== isNegated
  const inside = nestedChecks(check)
  if (inside.length === 0) return evaluator.sentences.write(check.with({ negate }))
  return inside.flatMap(child => sentencesOf(child, negate))
}
