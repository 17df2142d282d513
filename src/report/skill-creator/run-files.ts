import { asciiJson } from '../../lib/json/stringify.ts'
import { withoutNullish } from '../../lib/objects.ts'
import { totalTokens } from '../../model/answer.ts'
import { lastUserText } from '../../model/messages/recorded-messages.ts'
import type { Result } from '../../model/result.ts'
import type { KeptFiles, ReportFile } from '../reporter.ts'
import type { EvalRun } from './eval-runs.ts'
import { executionMetrics } from './execution-metrics.ts'
import { type OutputFiles, outputFiles } from './output-files.ts'

/** Metadata of a test. */
export function evalMetadata({ result, folder, expectations }: EvalRun): object {
  const { test_id, suite, file, input } = result
  return {
    eval_id: folder.id,
    eval_name: test_id,
    prompt: lastUserText(input),
    assertions: expectations.map(({ text }) => text),
    test_id,
    suite,
    file,
  }
}

interface RunFacts {
  readonly partial: string | undefined
  /** Where the run comes from. */
  readonly provenance: string | undefined
  readonly kept: KeptFiles | undefined
}

/** Returns the files of one attempt, including the metadata: the viewer reads the prompt from there. */
export function runFiles(run: EvalRun, { partial: partial_run, provenance, kept }: RunFacts): ReportFile[] {
  const { target, trial, rerun, cached, workspace_path } = run.result
  const outputs = outputFiles(run.result, kept)
  const metadata = {
    ...evalMetadata(run),
    target,
    trial,
    ...withoutNullish({ rerun, cached, partial_run, provenance, workspace_path }),
    ...(outputs.missing.length === 0 ? {} : { outputs_missing: outputs.missing }),
  }
  return [
    jsonFile('eval_metadata.json', metadata),
    ...outputs.files,
    ...metricsFile(run, outputs),
    jsonFile('grading.json', gradingOf(run, outputs)),
    jsonFile('timing.json', timingOf(run.result)),
  ]
}

/** Left out if the agent wrote a file with this name. */
function metricsFile({ result }: EvalRun, outputs: OutputFiles): ReportFile[] {
  const path = 'outputs/metrics.json'
  const isTaken = outputs.files.some(file => file.path?.toLowerCase() === path)
  return isTaken ? [] : [jsonFile(path, executionMetrics(result, outputs))]
}

export function jsonFile(path: string, value: object): ReportFile {
  return { path, text: [asciiJson(value)] }
}

/** Has no `timing`: otherwise the aggregator would not read the tokens from `timing.json`. */
function gradingOf(run: EvalRun, outputs: OutputFiles): object {
  const { files_created, output_chars, ...metrics } = executionMetrics(run.result, outputs)
  // Without a number of tokens, the aggregator takes the number of characters for it.
  const characters = totalTokens(run.result.token_usage) ? { output_chars } : {}
  return {
    expectations: run.expectations,
    assertion_results: run.expectations,
    summary: gradeSummary(run),
    execution_metrics: { ...metrics, ...characters },
  }
}

/** How many statements hold. */
export function gradeSummary({ expectations }: EvalRun) {
  const total = expectations.length
  const passed = expectations.filter(({ passed }) => passed).length
  return { passed, failed: total - passed, total, pass_rate: passed / total }
}

/** Unknown values are left out instead of being 0. */
export function timingOf({ token_usage, duration_ms }: Result) {
  return withoutNullish({
    total_tokens: totalTokens(token_usage),
    duration_ms,
    total_duration_seconds: duration_ms === undefined ? undefined : Math.round(duration_ms) / 1000,
  })
}
