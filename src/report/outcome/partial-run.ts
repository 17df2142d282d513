import type { RunInfo } from '../../model/run-info.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { filterText, type TestFilter } from '../../model/test-filter.ts'

/** Describes which part of its suites a run covers; undefined for a complete run. */
export function partialRunText({ info, planned, part }: RunReader, recorded: number): string | undefined {
  if (!info) return part
  const parts = [...selectedPart(info), ...shardPart(info), ...madePart(info, planned, recorded)]
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** `12 of 100 tests selected (--tag smoke)`. */
function selectedPart({ available_tests: all, selected_tests: selected, options, source }: RunInfo): string[] {
  if (all === undefined || selected === undefined || selected >= all) return []
  if (source !== undefined) return [`${selected} of ${all} tests have an answer`]
  const filters = filterText(options as TestFilter)
  return [`${selected} of ${all} tests selected${filters === '' ? '' : ` (${filters})`}`]
}

/** `shard 1 of 4`. */
function shardPart({ shard }: RunInfo): string[] {
  return shard && shard.of > 1 ? [`shard ${shard.index} of ${shard.of}`] : []
}

const STOP_REASONS: Readonly<Record<NonNullable<RunInfo['stopped']>, string>> = {
  budget: 'budget spent',
  'fail-fast': 'stopped by --fail-fast',
  signal: 'interrupted',
  records: 'records could not be written',
  decided: 'decided early',
}

/** `budget spent, 30 of 120 attempts made`. */
function madePart({ stopped, attempts, source }: RunInfo, planned: number, recorded: number): string[] {
  if (recorded >= planned) return []
  const unlisted = source === undefined ? 'not all shards' : 'source run not finished'
  const unfinished = attempts.length < planned ? unlisted : 'not finished'
  return [`${stopped ? STOP_REASONS[stopped] : unfinished}, ${recorded} of ${planned} attempts made`]
}
