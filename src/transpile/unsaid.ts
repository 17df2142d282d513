import { type Check, nestedChecks } from '../model/check.ts'
import type { Test } from '../model/test.ts'
import type { TranspileIssue } from './transpile-issue.ts'

/** What a test says that evals.json has no words for. */
export function unsaidIssue(test: Test): TranspileIssue | undefined {
  const lost = [...new Set([...ofTest(test), ...test.checks.flatMap(withInside).flatMap(ofCheck)])]
  if (lost.length === 0) return undefined
  return { code: 'unsaid', at: test.at, message: `evals.json cannot say this of \`${test.id}\`: ${lost.join(', ')}` }
}

function ofTest({ input, note, conversation_id }: Test): string[] {
  const isLast = (index: number) => index === input.findLastIndex(({ role }) => role === 'user')
  const earlier = input.some(({ role }, index) => role !== 'system' && !isLast(index))
  const blocks = input.flatMap(({ content = [] }) => content)
  return [
    ...(input.some(({ role }) => role === 'system') ? ['a system message'] : []),
    ...(earlier ? ['other messages than the last of the user'] : []),
    ...(blocks.some(({ type }) => type === 'image') ? ['images'] : []),
    ...(note === undefined ? [] : ['the note for judges']),
    ...(conversation_id === undefined ? [] : ['which conversation it belongs to']),
  ]
}

function ofCheck(check: Check): string[] {
  const { weight, required, negate, evaluator, config } = check
  return [
    // That not all of them hold is another thing than that none does.
    ...(negate && nestedChecks(check).length > 1 ? ['that only one of several checks may be missed'] : []),
    ...(weight === 1 ? [] : ['weights']),
    ...(required === undefined ? [] : ['required checks']),
    ...(evaluator.unsaid?.(config) ?? []),
  ]
}

/** A check, and all inside it. */
function withInside(check: Check): Check[] {
  return [check, ...nestedChecks(check).flatMap(withInside)]
}
