import { resolve } from 'node:path'
import { evaluators } from './evaluators/index.ts'
import { nodeHost } from './host/node.ts'
import type { Evaluator } from './model/evaluator.ts'
import type { Provider } from './model/provider.ts'
import { type Evaluation, evaluate as evaluateRequest } from './operations/evaluate.ts'
import type { RunObserver } from './operations/run-observer.ts'
import type { RunRequest, Selection } from './operations/run-request.ts'
import { runtimeOn } from './operations/runtime.ts'
import { type LoadResult, loadFiles } from './parse/load-files.ts'

export type { Diagnostic } from './diagnostics/diagnostic.ts'
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
export type { Evaluation } from './operations/evaluate.ts'
export type { Selection } from './operations/run-request.ts'
export { defineProvider } from './providers/define-provider.ts'
export type { Outcome } from './report/outcome/run-outcome.ts'
export type { TestOutcome } from './report/outcome/test-outcome.ts'
export type { SkillTriggers, TriggerQuery } from './report/outcome/trigger-rates.ts'

/** Loads a suite, or a dataset, by its path: the suite where it has no errors, and every mistake in it. */
export async function loadSuite(
  path: string,
): Promise<{ suite: LoadResult['suites'][number] | undefined; diagnostics: LoadResult['diagnostics'] }> {
  const host = nodeHost()
  const { suites, diagnostics } = await loadFiles([resolve(host.cwd, path)], { host, evaluators })
  return { suite: suites[0], diagnostics }
}

export interface EvaluateOptions
  extends Selection,
    Pick<RunRequest, 'workers' | 'timeout_seconds' | 'max_cost_usd' | 'fail_fast' | 'cache' | 'runs_dir'>,
    Pick<RunObserver, 'onResult'> {
  /** What relative paths start from. Default: the current folder. */
  readonly cwd?: string
  /** Ends running attempts and starts no new ones. */
  readonly signal?: AbortSignal | undefined
  /** Types of checks besides those that are built in. */
  readonly evaluators?: readonly Evaluator[]
  /** Providers besides those that are built in. */
  readonly providers?: readonly Provider[]
}

/** Runs suites as `assay eval` does, and leaves the same records. It does not read `.assay/config.yaml`. */
export function evaluate(options: EvaluateOptions = {}): Promise<Evaluation> {
  return evaluateRequest(options, runtimeOn(nodeHost(resolve(options.cwd ?? '.')), options), options)
}
