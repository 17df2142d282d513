import { dirname } from 'node:path'
import { planText } from '../../../src/cli/terminal/plan-text.ts'
import { hasErrors } from '../../../src/diagnostics/diagnostic.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import { Semaphore } from '../../../src/lib/semaphore.ts'
import type { Answer } from '../../../src/model/answer.ts'
import { evaluatorResultSchema } from '../../../src/model/evaluator-result.ts'
import type { Host } from '../../../src/model/host.ts'
import type { Suite } from '../../../src/model/suite.ts'
import type { Test } from '../../../src/model/test.ts'
import { judgeChecks } from '../../../src/model/verdict.ts'
import { planRun } from '../../../src/operations/evaluate.ts'
import { planSummary } from '../../../src/operations/run/plan-summary.ts'
import { locateDiagnostics } from '../../../src/parse/files.ts'
import { providers } from '../../../src/providers/index.ts'
import { gradeAnswer } from '../../../src/run/grade-answer.ts'
import { FORMATS, transpile } from '../../../src/transpile/transpile.ts'
import { must } from '../fuzzer.ts'
import { Random } from '../random.ts'
import { ANSWERS, JUDGE_REPLIES } from './answers.ts'
import { mustHaveLocations } from './diagnostics.ts'

/** The number of tests to grade per suite. */
const MOST_TESTS = 4

/** Transpiles, grades and plans loaded suites; none of this may throw. */
export async function useSuites(
  suites: readonly Suite[],
  host: Host,
  salt: number,
): Promise<'planned' | 'not planned'> {
  for (const suite of suites) {
    for (const format of ['evals-json', ...FORMATS] as const) {
      const { files, issues } = transpile(suite, format)
      for (const { file, content } of files) if (file.endsWith('.json')) JSON.parse(content)
      await mustHaveLocations(await locateDiagnostics(issues, host), host)
    }
    for (const test of suite.tests.slice(0, MOST_TESTS)) await gradeTest(test, host, salt)
  }
  const paths = suites.map(({ file }) => file)
  const { plan, diagnostics } = await planRun({ paths }, { host, evaluators, providers })
  await mustHaveLocations(diagnostics, host)
  must((plan === undefined) === hasErrors(diagnostics), () => 'no plan without an error, or a plan despite one')
  if (!plan) return 'not planned'
  planText(planSummary(plan))
  const ids = plan.attempts.map(({ id }) => id)
  must(new Set(ids).size === ids.length, () => 'two attempts have the same id')
  return 'planned'
}

async function gradeTest(test: Test, host: Host, salt: number): Promise<void> {
  const random = new Random(`grade ${salt}`)
  must(test.at.location().line >= 1, () => `${test.id} has no location`)
  const answer: Answer = random.pick(ANSWERS)
  const subject = { answer, test, target: 'default', trial: 1, folder: dirname(test.at.file) }
  const context = {
    host,
    abort: new AbortController(),
    semaphore: new Semaphore(4),
    recordedPath: (file: string) => file,
  }
  const ask = async () => ({ text: random.pick(JUDGE_REPLIES) })
  const results = await gradeAnswer({ test, target: { name: subject.target } }, subject, ask, context)
  mustBeResults(results)
  const { score, verdict } = judgeChecks(results)
  must(score === null ? verdict === 'error' : score >= 0 && score <= 1, () => `${verdict} with a score of ${score}`)
}

/** Throws unless the results can be recorded and none is a bug. */
export function mustBeResults(results: Awaited<ReturnType<typeof gradeAnswer>>): void {
  for (const result of results) {
    const text = JSON.stringify(result)
    must(!text.includes('"code":"bug"'), () => `a bug: ${result.type}: ${result.error?.message ?? text}`)
    const parsed = evaluatorResultSchema().safeParse(JSON.parse(text))
    must(parsed.success, () => `cannot be recorded: ${parsed.error?.message} in ${text.slice(0, 500)}`)
  }
}
