import * as z from 'zod'
import { isNestedWithin } from '../lib/is-nested-within.ts'
import { parseJson } from '../lib/parse-json.ts'
import { DEEPEST_RECORD } from '../model/answer-limit.ts'
import type { Host } from '../model/host.ts'
import { recordedResultSchema } from '../model/recorded-result.ts'
import { type RunInfo, runInfoSchema } from '../model/run-info.ts'
import { cannotRead, NoRun } from './no-run.ts'
import { ResultIndex } from './result-index.ts'

const reportSchema = z.looseObject({
  run: z.union([runInfoSchema, z.strictObject({})]),
  summary: z.looseObject({ damaged: z.int().min(0).default(0) }).default({ damaged: 0 }),
  results: z.array(z.unknown()),
})

/** What a `.json` report has of a run. */
export interface JsonReport {
  readonly info: RunInfo | undefined
  readonly index: ResultIndex
  /** Results that cannot be read, with those that the run had when it was reported. */
  readonly damaged: number
}

/** Reads a report that `-o results.json` wrote. */
export async function readJsonReport(path: string, host: Host): Promise<JsonReport> {
  const bytes = await host.files.read(path).catch(cannotRead(path))
  const report = reportSchema.safeParse(parseJson(new TextDecoder().decode(bytes)))
  if (!report.success) throw new NoRun(`${path} is not a report of a run: \`assay eval -o results.json\` writes one.`)
  const { run, summary, results } = report.data
  const info = 'run_id' in run ? (run as RunInfo) : undefined
  const index = new ResultIndex(({ offset }) => JSON.stringify(results[offset]))
  if (info) index.plan(info.attempts)
  let { damaged } = summary
  for (const [offset, value] of results.entries()) {
    const result = isNestedWithin(value, DEEPEST_RECORD) ? recordedResultSchema.safeParse(value) : undefined
    if (result?.success) index.add(result.data, { offset, length: 1 })
    else damaged++
  }
  return { info, index, damaged }
}
