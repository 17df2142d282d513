import { looksLikeMessages } from '../model/message.ts'
import { textOf } from '../model/message-text.ts'
import type { Test } from '../model/test.ts'
import type { EvalItem } from '../spec/evals-json.ts'
import { statementsOf } from './statements.ts'

interface Ids {
  readonly id: number
  readonly source_id?: string
}

/** A test as an item of evals.json. */
export function evalItem(test: Test, { id, source_id }: Ids, should_trigger: boolean | undefined): EvalItem {
  const files = filesOf(test)
  const expected_output = expectedText(test.expected_output)
  return {
    id,
    prompt: promptOf(test),
    ...(expected_output === undefined ? {} : { expected_output }),
    ...(files.length === 0 ? {} : { files }),
    ...(should_trigger === undefined ? {} : { should_trigger }),
    assertions: statementsOf(test),
    ...(source_id === undefined ? {} : { source_id }),
  }
}

/** The last that a user says. */
export function promptOf({ input }: Test): string {
  return textOf(input.findLast(({ role }) => role === 'user'))
}

/** The files of all messages, as they are written. */
function filesOf({ input }: Test): string[] {
  return input.flatMap(({ content = [] }) =>
    content.flatMap(block => (block.type === 'file' ? [String(block.value)] : [])),
  )
}

function expectedText(expected: unknown): string | undefined {
  if (expected === undefined || typeof expected === 'string') return expected
  if (looksLikeMessages(expected)) return textOf(expected.findLast(({ role }) => role === 'assistant')) || undefined
  return JSON.stringify(expected)
}
