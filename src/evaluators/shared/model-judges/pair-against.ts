import { lazily } from '../../../lib/lazily.ts'
import { isMapping } from '../../../lib/objects.ts'
import { withHints } from '../../../lib/schema-rules.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import * as z from '../../../lib/zod.ts'
import type { GradeContext, Subject } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import { expectedText } from '../../../model/message.ts'
import type { OtherAnswer } from '../../../model/other-answer.ts'

/** What an answer is compared with: `expected_output`, or another answer. */
export type Against = 'expected_output' | OtherAnswer

const FORMS = '`expected_output`, `target NAME` or `run NAME`'

/** The field `against` of a check that compares two answers. */
export const againstField = lazily(() =>
  withHints(
    z
      .string()
      .regex(/^(expected_output|(target|run) +\S.*)$/, `must be ${FORMS}`)
      .transform(parseAgainst)
      .default('expected_output')
      .describe(
        'What the answer is compared with: `expected_output` (default), `target NAME` (the answer of that target to the same test and trial in this run) or `run NAME` (the recorded answer to the same test in an earlier run: its id, a unique prefix, `latest`, or its folder, relative to the suite).',
      ),
    { value: againstHint },
  ),
)

function parseAgainst(written: string): Against {
  const [kind = '', name = ''] = written.split(/ +(.*)/)
  if (kind === 'expected_output') return kind
  return kind === 'target' ? { target: name.trim() } : { run: name.trim() }
}

/** For a mapping, as in `against: {target: NAME}`, and for a name alone. */
function againstHint(found: unknown): string {
  if (typeof found === 'string' && /^\S+$/.test(found))
    return `write \`against: target ${printableLine(found)}\` for a target, \`against: run ${printableLine(found)}\` for a run`
  const [entry] = isMapping(found) ? Object.entries(found) : []
  const [kind, name] = entry ?? []
  return (kind === 'target' || kind === 'run') && typeof name === 'string'
    ? `write \`against: ${kind} ${printableLine(name)}\``
    : `write ${FORMS}`
}

/** The field as written, for records. */
export function againstText(against: Against): string {
  if (against === 'expected_output') return against
  return 'target' in against ? `target ${against.target}` : `run ${against.run}`
}

/** Names the other answer in a sentence. */
export function againstName(against: Against): string {
  if (against === 'expected_output') return 'the expected output'
  const name = 'target' in against ? `of ${against.target}` : `in run ${against.run}`
  return printableLine(`the answer ${name}`)
}

/** Returns the text that an answer is compared with. Throws `Unjudged` if the test has no such text. */
export async function otherText(against: Against, { test }: Subject, context: GradeContext): Promise<string> {
  if (against !== 'expected_output') return context.otherAnswer(against)
  const expected = expectedText(test.expected_output)
  if (expected === undefined) throw new Unjudged('no-other-answer', 'the test has no `expected_output` as text')
  return expected
}
