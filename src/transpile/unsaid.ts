import type { Test } from '../spec/test.ts'
import { type TestCheck, withInside } from './test-check.ts'
import type { TranspileIssue } from './transpile-issue.ts'

/** What a test says that evals.json has no words for. */
export function unsaidIssue(test: Test): TranspileIssue | undefined {
  const lost = [...new Set([...ofInput(test), ...test.checks.flatMap(withInside).flatMap(ofCheck)])]
  if (lost.length === 0) return undefined
  return { code: 'unsaid', at: test.at, message: `evals.json cannot say this of \`${test.id}\`: ${lost.join(', ')}` }
}

function ofInput({ input }: Test): string[] {
  const isLast = (index: number) => index === input.findLastIndex(({ role }) => role === 'user')
  const earlier = input.some(({ role }, index) => role !== 'system' && !isLast(index))
  const blocks = input.flatMap(({ content = [] }) => content)
  return [
    ...(input.some(({ role }) => role === 'system') ? ['a system message'] : []),
    ...(earlier ? ['other messages than the last of the user'] : []),
    ...(blocks.some(({ type }) => type === 'image') ? ['images'] : []),
  ]
}

function ofCheck({ weight, required, evaluator, config }: TestCheck): string[] {
  return [
    ...(weight === 1 ? [] : ['weights']),
    ...(required === undefined ? [] : ['required checks']),
    ...(evaluator.unsaid?.(config) ?? []),
  ]
}
