import type { Host } from '../../model/host.ts'
import { attemptName } from '../../model/result.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import type { Verdict } from '../../model/verdict.ts'
import { FollowedRun } from '../../record/follow-run.ts'
import { readLiveStatus } from '../../record/live-files.ts'
import type { LiveData, LiveFailure } from '../../report/html/view-data.ts'
import { isNotable } from '../../report/outcome/run-outcome.ts'
import { mainReason } from '../../report/reasons.ts'
import type { ViewedRun } from './run-store.ts'

/** How many failures are listed. */
const MOST_FAILURES = 50

/** How far a run is: what its process says, and what is recorded. */
export async function liveData(run: ViewedRun, host: Host): Promise<LiveData> {
  const { is_live, reader, folder } = run
  const recorded = reader instanceof FollowedRun ? reader.recorded() : [...reader.facts()]
  const counts: Record<Verdict, number> = { pass: 0, borderline: 0, fail: 0, error: 0 }
  for (const { verdict } of recorded) counts[verdict]++
  const failures = recorded.filter(isNotable).slice(-MOST_FAILURES)
  return {
    is_live,
    status: is_live ? await readLiveStatus(folder, host) : undefined,
    latest_failures: failures.flatMap(facts => failureOf(facts, run) ?? []),
    counts,
  }
}

/** What is said of a failure, by the facts of its result: these are made once. */
const described = new WeakMap<ResultFacts, Omit<LiveFailure, 'index'>>()

function failureOf(facts: ResultFacts, { reader, page, is_live }: ViewedRun): LiveFailure | undefined {
  const index = is_live ? page.liveIndexOf(facts) : page.indexOf(facts)
  if (index === undefined) return undefined
  const known = described.get(facts)
  if (known) return { index, ...known }
  const result = reader.result(facts.attempt_id)
  if (!result) return undefined
  const { target, verdict } = result
  const failure = { name: attemptName(result), target, verdict, reason: mainReason(verdict, [result]) ?? '' }
  described.set(facts, failure)
  return { index, ...failure }
}
