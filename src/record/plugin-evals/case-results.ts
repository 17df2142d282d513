import { basename } from 'node:path'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { withoutNullish } from '../../lib/objects.ts'
import { shortHash } from '../../lib/sha256.ts'
import type { AggregateCase, AggregateResult, AggregateRun } from '../../model/aggregate-result.ts'
import { type Result, SCHEMA_VERSION } from '../../model/result.ts'
import { judgeChecks } from '../../model/verdict.ts'
import { checkOf } from './grader-checks.ts'
import { matchGraders } from './match-graders.ts'
import { runError } from './run-errors.ts'

type Arm = 'with' | 'without'

/** The runs of a case as results: those with the plugin, then those of the control. */
export function caseResults(each: AggregateCase, file: AggregateResult, run_id: string): Result[] {
  const shared = { ...testFields(each, file), schema_version: SCHEMA_VERSION, run_id, index: 0 } as const
  return (['with', 'without'] as const).flatMap(arm =>
    (each.arms[arm] ?? []).map((run, index) => {
      const trial = run.assay?.trial ?? index + 1
      const attempt_id = run.assay?.attempt_id ?? shortHash(canonicalJson([run_id, each.dir, each.name, arm, trial]))
      return { ...shared, attempt_id, trial, ...armFields(arm, file), ...runFields(run, each, file) }
    }),
  )
}

function testFields(each: AggregateCase, { suite }: AggregateResult) {
  const { name, dir, promptMarkdown, model = suite.modelOverride, graders, assay } = each
  const { unknown, ...own } = assay ?? {}
  return {
    suite: suite.plugins[0]?.name ?? (basename(suite.root) || 'plugin-evals'),
    file: dir || name,
    line: 1,
    test_id: name,
    // Cases with another prompt or other graders are not the same test.
    test_hash: shortHash(canonicalJson({ promptMarkdown, graders })),
    tags: [],
    metadata: {},
    input: [{ role: 'user', content: promptMarkdown }],
    ...withoutNullish({ model }),
    ...own,
  }
}

function armFields(arm: Arm, { assay }: AggregateResult) {
  return {
    target: assay?.targets[arm] ?? arm,
    provider: assay?.provider ?? 'claude_cli',
    ...(arm === 'without' ? ({ control: true } as const) : {}),
  }
}

function runFields(run: AggregateRun, each: AggregateCase, file: AggregateResult) {
  const { unknown = [], attempt_id, trial, error: own, ...recorded } = run.assay ?? {}
  const checks = (matchGraders(each, run) ?? []).map(matched => ({
    ...checkOf(matched, run),
    // The file does not tell where a grader is written.
    line: each.assay?.line ?? 1,
  }))
  const threshold = file.assay?.default_marks ? undefined : file.suite.threshold
  const error = runError(run, checks)
  const { score, verdict } = error ? { score: null, verdict: 'error' as const } : judgeChecks(checks, threshold)
  const counted = checks.filter(({ weight, not_applicable }) => weight > 0 && !not_applicable)
  const known = <Value>(key: string, value: Value) => (unknown.includes(key) ? undefined : value)
  const milliseconds = run.durationSeconds === undefined ? undefined : Math.round(run.durationSeconds * 1e9) / 1e6
  return {
    timestamp: run.startedAt ?? file.startedAt,
    score,
    verdict,
    hits: counted.flatMap(({ hits }) => hits),
    misses: counted.flatMap(({ misses }) => misses),
    // The client does not write answers.
    answer: null,
    evaluator_results: error?.stage === 'answer' ? [] : checks,
    ...withoutNullish({
      threshold,
      error,
      cost_usd: known('costUsd', Math.max(0, run.costUsd - run.judgeCostUsd)),
      duration_ms: error?.stage === 'answer' ? undefined : milliseconds,
      elapsed_ms: error?.stage === 'answer' ? milliseconds : undefined,
      judge_usage: judgeUsage(run),
    }),
    ...recorded,
  }
}

function judgeUsage({ judgeCostUsd: cost_usd, graders }: AggregateRun): Result['judge_usage'] {
  const calls = graders.reduce((sum, { judgeVotes = [] }) => sum + judgeVotes.length, 0)
  return calls === 0 && cost_usd === 0 ? undefined : { calls, cost_usd }
}
