import { findJsonError, parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import { type RunInfo, runInfoSchema, unlistedAttempts } from '../model/run-info.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { RunFiles } from './find-run.ts'
import { isAggregate, looksLikeAggregate, readAggregate } from './plugin-evals/read-aggregate.ts'
import { readRecords, recordOf } from './read-records.ts'
import { recordedResultSchema } from './recorded-result.ts'
import { ResultIndex } from './result-index.ts'
import { cannotRead, RunError } from './run-error.ts'
import { readRunInfo } from './run-folder.ts'

export interface OpenRun extends RunReader {
  /** Number of unreadable lines, and of results that a truncated report lacks. */
  readonly damaged: number
  close(): void
}

/** Opens the records of a run: its folder, a results file, a JSON report, or the results of `claude plugin eval`. */
export async function readRun(found: RunFiles, host: Host): Promise<OpenRun> {
  if (found.results.endsWith('.json')) return openRun(found, await readJsonFile(found.results, host), () => {})
  const { folder, results } = found
  const info = results.endsWith('results.jsonl') ? await readRunInfo(folder, host) : undefined
  const file = host.files.openRead(results)
  const index = new ResultIndex(({ offset, length }) => file.readAt(offset, length))
  if (info) index.plan(info.attempts)
  let [damaged, read, reported] = [0, 0, 0]
  for await (const { record, line } of readRecords(results, recordedResultSchema(), host, () => damaged++)) {
    // A result of another run would be evidence for this one.
    if (info && record.run_id !== info.run_id) {
      damaged++
      continue
    }
    index.add(record, line)
    read++
    reported = Math.max(reported, record.report_results ?? 0)
  }
  // A report that was truncated at a line end has fewer results than each of them records.
  const missing = info ? 0 : Math.max(0, reported - read - damaged)
  return openRun(found, { info, index, damaged: damaged + missing }, () => file.close())
}

function openRun({ results }: RunFiles, { info, index, damaged }: JsonReport, close: () => void): OpenRun {
  if (!info) index.dropSuperseded()
  const { partial, not_made = 0 } = (info ? undefined : firstResult(index)) ?? {}
  return {
    info,
    planned: info ? info.attempts.length + unlistedAttempts(info) : index.size + not_made,
    planned_tests: info?.tests ?? index.testCount(),
    part: partial,
    results_file: results,
    facts: () => index.facts(),
    result: id => index.result(id),
    results: () => index.results(),
    damaged,
    close,
  }
}

/** In reports of a partial run, each result names the part. */
function firstResult(index: ResultIndex): Result | undefined {
  for (const result of index.results()) return result
  return undefined
}

const reportSchema = lazily(() =>
  z.looseObject({
    run: z.union([runInfoSchema(), z.strictObject({})]),
    summary: z.looseObject({ damaged: z.int().min(0).default(0) }).default({ damaged: 0 }),
    results: z.array(z.unknown()),
  }),
)

/** Content of a JSON report. */
interface JsonReport {
  readonly info: RunInfo | undefined
  readonly index: ResultIndex
  /** Number of unreadable results, including those of the reported run. */
  readonly damaged: number
}

/** Reads a report written by `-o results.json`, or an `aggregate-result.json`. */
async function readJsonFile(path: string, host: Host): Promise<JsonReport> {
  const bytes = await host.files.read(path).catch(cannotRead(path))
  const text = new TextDecoder().decode(bytes)
  const value = parseJson(text)
  if (isAggregate(value)) return aggregateReport(readAggregate(value, path))
  if (value === undefined && looksLikeAggregate(text))
    throw new RunError(`Cannot read ${path}: it is not valid JSON. ${jsonProblem(text)}`)
  const report = reportSchema().safeParse(value)
  if (!report.success)
    throw new RunError(
      `${path} is not a JSON report of a run: write one with \`assay eval -o results.json\`, or name an aggregate-result.json of \`claude plugin eval\`.`,
    )
  return jsonReport(report.data)
}

function jsonProblem(text: string): string {
  const { offset, reason } = findJsonError(text)
  return `At character ${offset + 1}: ${reason}.`
}

function aggregateReport(results: readonly Result[]): JsonReport {
  const index = new ResultIndex(({ offset }) => JSON.stringify(results[offset]))
  for (const [offset, result] of results.entries()) index.add(result, { offset, length: 1 })
  return { info: undefined, index, damaged: 0 }
}

function jsonReport({ run, summary, results }: z.output<ReturnType<typeof reportSchema>>): JsonReport {
  const info = 'run_id' in run ? (run as RunInfo) : undefined
  const index = new ResultIndex(({ offset }) => JSON.stringify(results[offset]))
  if (info) index.plan(info.attempts)
  let { damaged } = summary
  for (const [offset, value] of results.entries()) {
    const result = recordOf(value, recordedResultSchema())
    if (result && (!info || result.run_id === info.run_id)) index.add(result, { offset, length: 1 })
    else damaged++
  }
  return { info, index, damaged }
}
