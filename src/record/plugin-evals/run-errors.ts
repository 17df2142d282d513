import type { AggregateRun } from '../../model/aggregate-result.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { Result } from '../../model/result.ts'
import { counts, isUnjudged } from '../../model/verdict.ts'

/** Beginning of the reason if the mock itself failed, and not the agent. */
const MOCK_FAILED = 'mock agent responder failed'

/** Why a run has no score, whatever the file counts for it: the client gives runs that it could not judge a 0 or a 1. */
export function runError(run: AggregateRun, checks: readonly EvaluatorResult[]): Result['error'] {
  const { error, aborted, graders, mocks, assay } = run
  if (error !== null) return assay?.error ?? { code: 'target-error', stage: 'answer', message: error }
  if (aborted?.reason.startsWith(MOCK_FAILED))
    return { code: 'bad-mock-call', stage: 'answer', message: aborted.reason }
  const unmocked = (mocks?.calls.unmocked ?? []).map(({ tool }) => tool)
  if (unmocked.length > 0)
    return { code: 'unmocked-call', stage: 'answer', message: `called without a mock: ${unmocked.join(', ')}` }
  if (checks.every(check => !counts(check)))
    return graders.length === 0 && checks.length > 0
      ? { code: 'target-error', stage: 'answer', message: NOT_GRADED }
      : { code: 'nothing-grades', stage: 'grade', message: 'nothing can grade this case' }
  const unjudged = checks.find(check => counts(check) && isUnjudged(check))
  return (
    unjudged?.error && {
      code: unjudged.error.code,
      stage: 'grade',
      message: `${unjudged.name}: ${unjudged.error.message}`,
    }
  )
}

const NOT_GRADED = 'the run was not graded: it ended on an API error, such as a rate limit'
