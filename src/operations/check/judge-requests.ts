import { quoteCode } from '../../lib/text/quote.ts'
import type { Check } from '../../model/check.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import type { JudgeRequest } from '../../model/prompt.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import { answerOf } from './probe-answers.ts'
import { type ProbedTest, Prober } from './prober.ts'
import { leavesOf } from './references.ts'

/** Finds judges whose prompt does not mention the answer, or whose request is the same for different answers. */
export async function judgeFindings(tested: readonly ProbedTest[], host: Host): Promise<DiagnosticInput[]> {
  const found = new Map<Check, DiagnosticInput[]>()
  for (const each of tested) {
    for (const check of leavesOf(each.test.checks)) {
      if (found.has(check) || !check.evaluator.judge) continue
      const doubts = doubtsOf(check)
      found.set(check, doubts.length > 0 ? doubts : await sameRequests(each, check, host))
    }
  }
  return [...found.values()].flat()
}

function doubtsOf({ evaluator, config, files, at }: Check): DiagnosticInput[] {
  const issues = evaluator.probing?.doubts?.(config, files) ?? []
  return issues.map(({ path, ...issue }) => ({ ...issue, at: at.child(...path) }))
}

async function sameRequests(tested: ProbedTest, check: Check, host: Host): Promise<DiagnosticInput[]> {
  const [one, other] = [
    await requestFor('one answer', tested, check, host),
    await requestFor('another', tested, check, host),
  ]
  if (one === undefined || one !== other) return []
  const message = `the judge ${quoteCode(check.name)} gets the same request for different answers`
  return [{ code: 'judge-without-answer', at: check.at, message, hint: 'write `{{answer}}` in its prompt' }]
}

/** What a judge would be sent; undefined if it is not asked. */
async function requestFor(text: string, tested: ProbedTest, check: Check, host: Host): Promise<string | undefined> {
  let sent: JudgeRequest | undefined
  const askJudge = (_: Check, request: JudgeRequest) => {
    sent ??= request
    return Promise.reject(new Unjudged('judge-no-answer', 'not asked'))
  }
  await new Prober(host, { askJudge }).accepts(tested, check, answerOf({ text }))
  // The marks around the answer depend on it.
  return sent && JSON.stringify(sent.messages).replace(/\bdata-[0-9a-f]+\b/g, 'data')
}
