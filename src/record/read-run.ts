import type { Host } from '../model/host.ts'
import { recordedResultSchema } from '../model/recorded-result.ts'
import type { Result } from '../model/result.ts'
import { unlistedAttempts } from '../model/run-info.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { FoundRun } from './find-run.ts'
import { type JsonReport, readJsonReport } from './read-json-report.ts'
import { readRecords } from './read-records.ts'
import { ResultIndex } from './result-index.ts'
import { readRunInfo } from './run-folder.ts'

export interface OpenRun extends RunReader {
  /** Lines that cannot be read, and results that a report had and has no longer. */
  readonly damaged: number
  close(): void
}

/** Opens the records of a run for reading: its folder, a file of results, or a report of its results. */
export async function readRun(found: FoundRun, host: Host): Promise<OpenRun> {
  if (found.results.endsWith('.json')) return openRun(await readJsonReport(found.results, host), () => {})
  const { folder, results } = found
  const info = results.endsWith('results.jsonl') ? await readRunInfo(folder, host) : undefined
  const file = host.files.openRead(results)
  const index = new ResultIndex(({ offset, length }) => file.readAt(offset, length))
  if (info) index.plan(info.attempts)
  let [damaged, read, reported] = [0, 0, 0]
  for await (const { record, line } of readRecords(results, recordedResultSchema, host, () => damaged++)) {
    index.add(record, line)
    read++
    reported = Math.max(reported, record.report_results ?? 0)
  }
  // A report that is cut at the end of a line looks whole, but has fewer results than each of them says.
  const missing = info ? 0 : Math.max(0, reported - read - damaged)
  return openRun({ info, index, damaged: damaged + missing }, () => file.close())
}

function openRun({ info, index, damaged }: JsonReport, close: () => void): OpenRun {
  if (!info) index.dropSuperseded()
  const { partial, not_made = 0 } = (info ? undefined : firstResult(index)) ?? {}
  return {
    info,
    planned: info ? info.attempts.length + unlistedAttempts(info) : index.size + not_made,
    planned_tests: info?.tests ?? index.testCount(),
    part: partial,
    facts: () => index.facts(),
    result: id => index.result(id),
    results: () => index.results(),
    damaged,
    close,
  }
}

/** Reports of a partial run say in each result of which part it is. */
function firstResult(index: ResultIndex): Result | undefined {
  for (const result of index.results()) return result
  return undefined
}
