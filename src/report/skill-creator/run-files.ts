import { asciiJson } from '../../lib/json/stringify.ts'
import { withoutNullish } from '../../lib/objects.ts'
import { lastUserText } from '../../model/messages/recorded-messages.ts'
import type { Result } from '../../model/result.ts'
import type { ReportFile } from '../reporter.ts'
import type { EvalRun } from './eval-runs.ts'

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
}

/** Returns the files of one attempt, including the metadata: the viewer reads the prompt from there. */
export function runFiles(run: EvalRun, { partial: partial_run, provenance }: RunFacts): ReportFile[] {
  const { target, trial, rerun, cached, answer, workspace_path } = run.result
  const metadata = {
    ...evalMetadata(run),
    target,
    trial,
    ...withoutNullish({ rerun, cached, partial_run, provenance, workspace_path }),
  }
  return [
    jsonFile('eval_metadata.json', metadata),
    { path: 'outputs/answer.md', text: [answer ?? ''] },
    jsonFile('grading.json', gradingOf(run)),
    jsonFile('timing.json', timingOf(run.result)),
  ]
}

export function jsonFile(path: string, value: object): ReportFile {
  return { path, text: [asciiJson(value)] }
}

/** Has no `timing`: otherwise the aggregator would not read the tokens from `timing.json`. */
function gradingOf({ expectations }: EvalRun): object {
  const total = expectations.length
  const passed = expectations.filter(({ passed }) => passed).length
  return {
    expectations,
    assertion_results: expectations,
    summary: { passed, failed: total - passed, total, pass_rate: passed / total },
  }
}

/** Unknown values are left out instead of being 0. */
function timingOf({ token_usage, duration_ms }: Result): object {
  const { input, output } = token_usage ?? {}
  return withoutNullish({
    total_tokens: input === undefined || output === undefined ? undefined : input + output,
    duration_ms,
    total_duration_seconds: duration_ms === undefined ? undefined : Math.round(duration_ms) / 1000,
  })
}
