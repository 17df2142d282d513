import { millisecondsOf } from '../../lib/dates.ts'
import type { Result } from '../../model/result.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { costOf, isCostUnknown } from './costs.ts'

/** The start, the duration and the cost of these attempts, and which of them are not known. */
export function figuresOf({ info, result }: RunReader, facts: readonly ResultFacts[]) {
  const stamps = facts.flatMap(({ attempt_id }) => result(attempt_id)?.timestamp ?? []).sort()
  const durationSeconds = spanOf(facts.flatMap(({ attempt_id }) => result(attempt_id) ?? []))
  const unknown = [
    ...(durationSeconds === undefined ? ['durationSeconds'] : []),
    ...(facts.some(isCostUnknown) ? ['costUsd'] : []),
  ]
  const costUsd = facts.reduce((sum, each) => sum + costOf(each), 0)
  return { startedAt: info?.started ?? stamps[0] ?? '', durationSeconds, unknown, costUsd }
}

/** The seconds from the start of the first attempt to the end of the last; undefined if an end is not known. */
function spanOf(results: readonly Result[]): number | undefined {
  const spans = results.map(({ timestamp, duration_ms, elapsed_ms = duration_ms }) => {
    const start = millisecondsOf(timestamp)
    return start === undefined || elapsed_ms === undefined ? undefined : ([start, start + elapsed_ms] as const)
  })
  if (spans.length === 0 || spans.includes(undefined)) return undefined
  const known = spans.flatMap(span => (span ? [span] : []))
  const start = known.reduce((least, [each]) => Math.min(least, each), Number.POSITIVE_INFINITY)
  const end = known.reduce((most, [, each]) => Math.max(most, each), 0)
  return Math.round(end - start) / 1000
}
