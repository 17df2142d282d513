import { quoteCode } from '../../lib/text/quote.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { type Answering, gradedTargets, reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

/** Reports targets that cannot use the mocked servers of their tests, each once. */
export async function reportMockTargets(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  // Recorded answers are not asked again.
  if (context.options.standIn) return
  const tests = new Map<string, Test[]>()
  for (const test of context.tests.filter(({ mocks }) => mocks)) {
    for (const { name } of gradedTargets(test, answering, context)) {
      const known = tests.get(name)
      if (known) known.push(test)
      else tests.set(name, [test])
    }
  }
  for (const [name, [first, ...others]] of tests) {
    const target = answering.get(name)
    if (target && first && !target.provider.mcp) await reportTarget(target, first, others.length, context)
  }
}

async function reportTarget({ name, provider }: Target, test: Test, others: number, context: SuiteTargetsContext) {
  const more = others === 0 ? '' : ` and ${others} other ${others === 1 ? 'test' : 'tests'}`
  const message = `the target ${quoteCode(name)} cannot use the mocked servers of ${quoteCode(test.id)}${more}: its provider ${quoteCode(provider.type)} does not connect to MCP servers`
  const hint = 'use `cli`, `claude_cli` or `codex_cli`, or select other tests or targets'
  await reportOn({ code: 'cannot-mock', at: test.at, message, hint }, context)
}
