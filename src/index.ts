import { resolve } from 'node:path'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { evaluators } from './evaluators/index.ts'
import { nodeHost } from './host/node.ts'
import type { Host } from './model/host.ts'
import type { CompareOptions } from './operations/compare.ts'
import type { ConverseOptions, LoadedTarget } from './operations/converse.ts'
import type { Evaluation } from './operations/evaluate.ts'
import * as operations from './operations/evaluate.ts'
import type { GradeOptions } from './operations/grade.ts'
import type { CheckedTarget } from './operations/ping-targets.ts'
import type { Worker, WorkObserver, WorkOptions } from './operations/queue/work.ts'
import type { RunObserver } from './operations/run/run-observer.ts'
import type { RunRequest, Selection } from './operations/run/run-request.ts'
import { type Extensions, runtimeOn } from './operations/runtime.ts'
import type { TranspiledSuite, TranspileOptions } from './operations/transpile.ts'
import { type LoadResult, loadFiles } from './parse/load-files.ts'
import type { RunComparison } from './report/compare/compare-runs.ts'

export type { Diagnostic } from './diagnostics/diagnostic.ts'
export { defineEvaluator } from './evaluators/define-evaluator.ts'
export type { Answer, OutputMessage, TokenUsage, ToolCall } from './model/answer.ts'
export { NoAnswer } from './model/answer.ts'
export type { Check } from './model/check.ts'
export type { Evaluator, GradeContext, Subject } from './model/evaluator.ts'
export type { EvaluatorResult } from './model/evaluator-result.ts'
export { type Grade, Unjudged } from './model/grade.ts'
export type { Location, Origin } from './model/location.ts'
export type { Block, Message } from './model/message.ts'
export type { Prompt } from './model/prompt.ts'
export type { AskContext, Provider } from './model/provider.ts'
export type { Result } from './model/result.ts'
export type { Suite } from './model/suite.ts'
export type { Test } from './model/test.ts'
export type { CompareOptions } from './operations/compare.ts'
export type { Conversation, ConversationTarget, ConverseOptions, LoadedTarget } from './operations/converse.ts'
export type { Evaluation } from './operations/evaluate.ts'
export type { GradeOptions } from './operations/grade.ts'
export type { CheckedTarget } from './operations/ping-targets.ts'
export type { Worker, WorkObserver, WorkOptions } from './operations/queue/work.ts'
export type { Selection } from './operations/run/run-request.ts'
export type { TranspiledSuite, TranspileOptions } from './operations/transpile.ts'
export { defineProvider } from './providers/define-provider.ts'
export type { RunComparison } from './report/compare/compare-runs.ts'
export type { Outcome } from './report/outcome/run-outcome.ts'
export type { SkillTriggers, TriggerQuery } from './report/outcome/skill-triggers.ts'
export type { TestOutcome } from './report/outcome/test-outcome.ts'

/** Loads a suite or a dataset: its diagnostics, and the suite where they have no error. */
export async function loadSuite(
  path: string,
): Promise<{ suite: LoadResult['suites'][number] | undefined; diagnostics: LoadResult['diagnostics'] }> {
  const host = nodeHost()
  const { suites, diagnostics } = await loadFiles([resolve(host.cwd, path)], { host, evaluators })
  return { suite: suites[0], diagnostics }
}

/** What every operation takes besides its own options. */
export interface OperationOptions {
  /** What relative paths start from. Default: the current folder. */
  readonly cwd?: string
}

/** What an operation that makes a run takes besides. */
interface WatchOptions extends OperationOptions, Extensions, Pick<RunObserver, 'onResult'> {
  /** Ends running attempts and starts no new ones. */
  readonly signal?: AbortSignal | undefined
}

export interface EvaluateOptions
  extends Selection,
    Pick<RunRequest, 'workers' | 'timeout_seconds' | 'max_cost_usd' | 'fail_fast' | 'cache' | 'runs_dir'>,
    WatchOptions {}

/** Runs suites as `assay eval` does, and leaves the same records. It does not read `.assay/config.yaml`. */
export function evaluate(options: EvaluateOptions = {}): Promise<Evaluation> {
  return operations.evaluate(options, runtimeOn(hostOf(options), options), options)
}

/** Grades the recorded answers of a run again, as `assay grade` does. */
export async function grade(run: string, options: GradeOptions & WatchOptions = {}): Promise<Evaluation> {
  const operation = await import('./operations/grade.ts')
  return operation.grade(run, options, runtimeOn(hostOf(options), options), options)
}

/** Compares two runs, or two targets of one, as `assay compare` does. */
export async function compare(
  runs: readonly string[],
  options: Partial<CompareOptions> & OperationOptions = {},
): Promise<RunComparison> {
  const operation = await import('./operations/compare.ts')
  const gates = { fail_on_regression: false, fail_on_new_failures: false, require_conclusive: false }
  return operation.compare(runs, { gates, ...options }, hostOf(options))
}

/** Makes the files of a suite in another format, as `assay transpile` does. Writes nothing. */
export async function transpile(
  path: string,
  options: Partial<TranspileOptions> & OperationOptions = {},
): Promise<TranspiledSuite> {
  const { transpileSuite } = await import('./operations/transpile.ts')
  return transpileSuite(path, { in_memory: true, ...options }, hostOf(options))
}

/** Loads a target for conversations, as `assay log run` does. */
export async function openConversation(options: ConverseOptions & OperationOptions = {}): Promise<LoadedTarget> {
  const { loadConversationTarget } = await import('./operations/converse.ts')
  return loadConversationTarget(options, hostOf(options))
}

/** Reads the targets of a file, or one of them, and asks each for one word, as `assay targets --ping` does. */
export async function pingTargets(
  options: {
    readonly targets_file?: string
    readonly name?: string
    readonly signal?: AbortSignal
  } & OperationOptions = {},
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly targets: readonly CheckedTarget[] }> {
  const [operation, { requireTargetsFile }] = await Promise.all([
    import('./operations/ping-targets.ts'),
    import('./operations/targets-file.ts'),
  ])
  const host = hostOf(options)
  const file = await requireTargetsFile(options.targets_file, host)
  const { targets, diagnostics } = await operation.readTargets(file, options.name, host)
  const { signal = new AbortController().signal } = options
  return { diagnostics, targets: await operation.pingTargets(targets, { signal }, host) }
}

/** Connects a worker that makes attempts of runs in a queue, as `assay worker` does. */
export async function connectWorker(options: WorkOptions & OperationOptions, observer: WorkObserver): Promise<Worker> {
  const operation = await import('./operations/queue/work.ts')
  return operation.connectWorker(options, observer, hostOf(options))
}

function hostOf({ cwd = '.' }: OperationOptions): Host {
  return nodeHost(resolve(cwd))
}
