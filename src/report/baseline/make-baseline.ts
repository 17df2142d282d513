import { IDENTITY_VERSION } from '../../model/attempt.ts'
import { BASELINE_VERSION, type Baseline, type BaselineTest, fileHash } from '../../model/baseline.ts'
import type { Result } from '../../model/result.ts'
import type { RunInfo } from '../../model/run-info.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { fieldHashes } from '../../model/target.ts'
import { type RunTest, runTests } from '../outcome/run-tests.ts'
import { withoutReruns } from '../outcome/test-outcome.ts'

/** The baseline of a run: the results of its tests, and those that it carried over. */
export function baselineOf(run: RunReader): Baseline {
  const made = runTests(run).map(baselineTest)
  return {
    assay_baseline: BASELINE_VERSION,
    identity_version: IDENTITY_VERSION,
    targets: targetsOf(run.info),
    files: filesOf(run.info),
    tests: [...made, ...(run.info?.carried?.tests ?? [])],
  }
}

function baselineTest({ outcome, attempts }: RunTest): BaselineTest {
  const { suite, test_id, target, verdict, file, values, is_flaky, is_control, not_applicable, cluster } = outcome
  const { passed, attempts: count, errors, score } = withoutReruns(outcome)
  const first: Partial<Result> = attempts()[0] ?? {}
  return {
    suite,
    test_id,
    target,
    verdict,
    passed,
    attempts: count,
    errors,
    score: score === null ? null : rounded(score),
    scores: values.map(rounded),
    ...(is_flaky ? { flaky: true as const } : {}),
    ...(is_control ? { control: true as const } : {}),
    ...(not_applicable ? { not_applicable: [...not_applicable] } : {}),
    ...(cluster === undefined ? {} : { cluster }),
    file,
    ...(first.line === undefined ? {} : { line: first.line }),
    run: first.run_id ?? '',
    test_hash: first.test_hash ?? '',
    ...(first.input_hash === undefined ? {} : { input_hash: first.input_hash }),
    ...(first.checks_hash === undefined ? {} : { checks_hash: first.checks_hash }),
    target_hash: first.target_hash ?? '',
    ...(first.judges_hash === undefined ? {} : { judges_hash: first.judges_hash }),
  }
}

/** Enough digits for every comparison, few enough for a diff. */
function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

/** The fields of each target, as hashes. */
function targetsOf(info: RunInfo | undefined): Baseline['targets'] {
  return (info?.targets ?? []).map(written => ({ target: String(written['name']), fields: fieldHashes(written) }))
}

function filesOf(info: RunInfo | undefined): Baseline['files'] {
  const { target_files = [], test_files = [] } = info ?? {}
  return Object.fromEntries([...target_files, ...test_files].map(({ file, sha256 }) => [file, fileHash(sha256)]))
}
