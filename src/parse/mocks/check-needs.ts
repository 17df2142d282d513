import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import { someEvaluator } from '../../model/evaluators-in.ts'
import type { Test } from '../../model/test.ts'
import type { Diagnostics } from '../diagnostics.ts'

/** Reports checks that look at mocked servers which their test does not have, each once. */
export function reportMissingMocks(tests: readonly Test[], diagnostics: Diagnostics): void {
  if (!someEvaluator(tests, ({ needs }) => needs !== undefined)) return
  const reported = new Set<Check>()
  for (const test of tests) for (const check of test.checks) reportCheck(check, test, reported, diagnostics)
}

function reportCheck(check: Check, test: Test, reported: Set<Check>, diagnostics: Diagnostics): void {
  for (const nested of nestedChecks(check)) reportCheck(nested, test, reported, diagnostics)
  const { evaluator, config, at } = check
  const wanted = evaluator.needs?.(config).mocks
  if (wanted === undefined || reported.has(check)) return
  const names = Object.keys(test.mocks?.servers ?? {})
  if (wanted === true ? names.length > 0 : names.includes(wanted)) return
  reported.add(check)
  const lacking = wanted === true ? 'no mocked servers' : `no mocked server ${quoteCode(wanted)}`
  const message = `the test ${quoteCode(test.id)} has ${lacking}, which this check looks at`
  const all = names.length > 0 ? `its mocked servers are ${names.join(', ')}` : 'add `mocks` to the test or its suite'
  const hint = wanted === true ? all : didYouMean(wanted, names, all)
  diagnostics.add({ code: 'unknown-mock', at, message, hint })
}
