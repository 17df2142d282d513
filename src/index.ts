import { resolve } from 'node:path'
import { version } from './cli/version.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { prepare, type RunOptions, run, type Selection } from './evaluate.ts'
import { evaluators } from './evaluators/index.ts'
import { nodeHost } from './host/node.ts'
import type { Evaluator } from './model/evaluator.ts'
import type { Provider } from './model/provider.ts'
import type { Result } from './model/result.ts'
import type { Suite } from './model/suite.ts'
import { loadFiles } from './parse/load-files.ts'
import { providers } from './providers/index.ts'
import { findProjectFolders } from './record/project-folders.ts'
import { type Outcome, outcomeOf } from './report/outcome/run-outcome.ts'

export type { Diagnostic } from './diagnostics/diagnostic.ts'
export type { Selection } from './evaluate.ts'
export { defineEvaluator } from './evaluators/define-evaluator.ts'
export type { Answer, OutputMessage, TokenUsage, ToolCall } from './model/answer.ts'
export { NoAnswer } from './model/answer.ts'
export type { Check } from './model/check.ts'
export type { Evaluator, GradeContext, Subject } from './model/evaluator.ts'
export { type Grade, Unjudged } from './model/grade.ts'
export type { Location, Origin } from './model/location.ts'
export type { Block, Message } from './model/message.ts'
export type { Prompt } from './model/prompt.ts'
export type { AskContext, Provider } from './model/provider.ts'
export type { EvaluatorResult, Result } from './model/result.ts'
export type { Suite } from './model/suite.ts'
export type { Test } from './model/test.ts'
export { defineProvider } from './providers/define-provider.ts'
export type { Outcome } from './report/outcome/run-outcome.ts'
export type { TestOutcome } from './report/outcome/test-outcome.ts'
export type { SkillTriggers, TriggerQuery } from './report/outcome/trigger-rates.ts'

/** Loads a suite, or a dataset, by its path: the suite where it has no errors, and every mistake in it. */
export async function loadSuite(
  path: string,
): Promise<{ suite: Suite | undefined; diagnostics: readonly Diagnostic[] }> {
  const host = nodeHost()
  const { suites, diagnostics } = await loadFiles([resolve(host.cwd, path)], { host, evaluators })
  return { suite: suites[0], diagnostics }
}

export interface EvaluateOptions
  extends Partial<Selection>,
    Pick<RunOptions, 'workers' | 'timeout_seconds' | 'max_cost_usd' | 'fail_fast' | 'cache' | 'signal' | 'onResult'> {
  /** What relative paths start from. Default: the current folder. */
  readonly cwd?: string
  /** Where runs are kept. Default: `.assay/runs`. */
  readonly runs_dir?: string
  /** Types of checks besides those that are built in. */
  readonly evaluators?: readonly Evaluator[]
  /** Providers besides those that are built in. */
  readonly providers?: readonly Provider[]
}

export interface Evaluation {
  /** Every mistake in the suites and in the targets in use. */
  readonly diagnostics: readonly Diagnostic[]
  /** What came of it; undefined where there is an error among the diagnostics. */
  readonly run:
    | {
        readonly id: string
        /** Where the records are. */
        readonly folder: string
        readonly outcome: Outcome
        /** Every result, in the order of the plan. */
        results(): Iterable<Result>
      }
    | undefined
}

/** Runs suites as `assay eval` does, and leaves the same records. It does not read `.assay/config.yaml`. */
export async function evaluate(options: EvaluateOptions = {}): Promise<Evaluation> {
  const host = nodeHost(resolve(options.cwd ?? '.'))
  const { paths = ['.'], eval_patterns, targets_file, targets, judge, defaults } = options
  const { test_ids, tags, trials, shard } = options
  const selection = { paths, eval_patterns, targets_file, targets, judge, defaults, test_ids, tags, trials, shard }
  const world = {
    host,
    evaluators: [...evaluators, ...(options.evaluators ?? [])],
    providers: [...providers, ...(options.providers ?? [])],
  }
  const { plan, diagnostics, redactor } = await prepare(selection, world)
  if (!plan) return { diagnostics, run: undefined }
  const place = await findProjectFolders(options.runs_dir, host)
  const { folder, problem } = await run({ plan, redactor }, selection, { ...options, ...place, version }, host)
  if (problem) throw problem
  const results = () => folder.results()
  return { diagnostics, run: { id: folder.info.run_id, folder: folder.path, outcome: outcomeOf(folder), results } }
}
