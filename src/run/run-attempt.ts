import { dirname } from 'node:path'
import { agentSettingsOf } from '../model/agent-settings.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import { type Check, judgeNames } from '../model/check.ts'
import type { Comparison } from '../model/comparison.ts'
import { type EvaluatorResult, triggersIn } from '../model/evaluator-result.ts'
import { Unjudged } from '../model/grade.ts'
import { markRecord, type RecordedMark } from '../model/mark.ts'
import { recordedExpectation, recordedMessages } from '../model/messages/recorded-messages.ts'
import type { MockCall } from '../model/mock-call.ts'
import type { FileHashes, JudgeOf } from '../model/plan.ts'
import type { JudgeRequest, Prompt } from '../model/prompt.ts'
import { type JudgeUsage, type Result, SCHEMA_VERSION } from '../model/result.ts'
import { traceSummary } from '../model/trace-summary.ts'
import { testInArm } from '../model/variant.ts'
import { counts, isUnjudged, judgeChecks } from '../model/verdict.ts'
import { NotRun } from './ask.ts'
import { JudgeUsageCounter, judgePrompt } from './ask-judge.ts'
import type { AskFactory } from './ask-target.ts'
import { gradeRepeatedly } from './grade-answer.ts'
import { type GradingContext, problemFromThrown } from './grading.ts'
import type { OtherAnswers } from './other-answers.ts'

export interface AttemptContext extends GradingContext {
  readonly run_id: string
  readonly hashes: FileHashes
  readonly judgeOf: JudgeOf
  /** How often models judge each answer; the first grading counts. Default: 1. */
  readonly judge_repeats?: number | undefined
  /** The answers that checks compare with; undefined if none does. */
  readonly others?: OtherAnswers | undefined
}

/** Runs one attempt: answer, grades, verdict. Throws `NotRun` if it is given up. */
export async function runAttempt(attempt: Attempt, asks: AskFactory, context: AttemptContext): Promise<Result> {
  try {
    return await answerAndGrade(attempt, asks, context)
  } finally {
    await asks.end(attempt)
  }
}

async function answerAndGrade(attempt: Attempt, asks: AskFactory, context: AttemptContext): Promise<Result> {
  const timestamp = context.host.clock.timestamp()
  const start = context.host.clock.elapsed()
  const ask = (each: Attempt) => asks.target(each)(promptOf(each), context.abort)
  const answer = await (context.others?.answerTo(attempt, ask) ?? ask(attempt)).catch(unanswered)
  if ('problem' in answer) {
    const { problem: error, workspace_path, mocked, cached } = answer
    const elapsed_ms = cached ? undefined : Math.round(context.host.clock.elapsed() - start)
    return resultOf({ attempt, timestamp, checks: [], error, workspace_path, mocked, cached, elapsed_ms }, context)
  }
  const { suite, test, target, trial } = attempt
  const subject = {
    answer,
    test: testInArm(test, attempt),
    target: target.name,
    trial,
    folder: dirname(suite.file),
    workspace: answer.workspace_path,
  }
  const usages = new JudgeUsageCounter()
  const askJudge = async (check: Check, request: JudgeRequest, repeat: number) => {
    const judge = context.judgeOf(attempt, check, request.judge)
    if (!judge) throw new Unjudged('judge-missing', NO_JUDGE)
    const reply = await asks.judge(attempt, judge)(judgePrompt(request, judge, attempt, repeat), context.abort)
    usages.add(reply)
    return reply
  }
  const judgeLooks = (check: Check) =>
    judgeNames(check).every(member => context.judgeOf(attempt, check, member)?.provider.looks === true)
  const { host, abort, semaphore, recordedPath, others, judge_repeats = 1 } = context
  const otherAnswer = others && ((comparison: Comparison) => others.textOf(comparison, attempt, ask))
  const grading = { host, abort, semaphore, recordedPath, judgeLooks, otherAnswer, judge_repeats }
  const gradings = await gradeRepeatedly(attempt, subject, askJudge, grading)
  const [checks = []] = gradings
  const judge_usage = usages.total
  const judge_scores = judge_usage && scoresOf(gradings, attempt)
  const error = gradeError(checks)
  const { workspace_path } = answer
  const result = resultOf({ attempt, timestamp, answer, checks, judge_usage, error, workspace_path }, context)
  return judge_scores ? { ...result, judge_scores } : result
}

/** The score by each of several gradings; undefined if the first one, which counts, is an error. */
function scoresOf(gradings: readonly EvaluatorResult[][], { threshold }: Attempt): number[] | undefined {
  if (gradings.length === 1) return undefined
  const [first, ...others] = gradings.map(checks => judgeChecks(checks, threshold).score)
  return typeof first === 'number' ? [first, ...others.flatMap(score => score ?? [])] : undefined
}

/** Returns the result of an attempt that could not be run. */
export function errorResult(
  attempt: Attempt,
  error: Problem,
  context: Pick<AttemptContext, 'host' | 'run_id' | 'hashes' | 'recordedPath'>,
): Result {
  return resultOf({ attempt, timestamp: context.host.clock.timestamp(), checks: [], error }, context)
}

const NO_JUDGE = 'no judge found: set `--judge` or the `judge_target` of the target, or name a target `judge`'

type Problem = NonNullable<Result['error']>

function promptOf({ id, suite, test, target, variant, trial, request_id }: Attempt): Prompt {
  const { input } = testInArm(test, { variant })
  const hasSystem = input.some(({ role }) => role === 'system')
  return {
    messages: input,
    system_prompt: hasSystem ? undefined : target.settings.system_prompt,
    test_id: test.id,
    suite: suite.name,
    folder: dirname(suite.file),
    trial,
    target: target.name,
    attempt_id: id,
    request_id,
    agent: agentSettingsOf(suite, test),
  }
}

interface Unanswered {
  readonly problem: Problem
  readonly cached?: true
  readonly workspace_path?: string | undefined
  readonly mocked?: Mocked
}

/** Calls to mocked tools and the state of mocked servers. */
type Mocked = Pick<NoAnswer, 'mock_calls' | 'state'>

/** Returns why there is no answer. Rethrows `NotRun`: the attempt has no record. */
function unanswered(error: unknown): Unanswered {
  if (error instanceof NotRun) throw error
  if (error instanceof NoAnswer) {
    const { code, message, workspace_path, mock_calls, state, never_reached, cached } = error
    const mocked = { mock_calls, state }
    const reached = never_reached ? { never_reached } : {}
    return {
      problem: { code, stage: 'answer', message, ...reached },
      workspace_path,
      mocked,
      ...(cached ? { cached } : {}),
    }
  }
  return { problem: { ...problemFromThrown(error), stage: 'answer', never_reached: true } }
}

/** The error of the first check that could not be judged. An answer without checks is an error, never a pass. */
function gradeError(checks: readonly EvaluatorResult[]): Problem | undefined {
  if (!checks.some(counts)) return { code: 'nothing-grades', stage: 'grade', message: 'nothing can grade this test' }
  const failed = checks.find(check => isUnjudged(check))
  return (
    failed?.error && { code: failed.error.code, stage: 'grade', message: `${failed.name}: ${failed.error.message}` }
  )
}

interface AttemptOutcome {
  readonly attempt: Attempt
  readonly timestamp: string
  readonly answer?: Answer
  readonly checks: EvaluatorResult[]
  readonly judge_usage?: JudgeUsage | undefined
  readonly error: Problem | undefined
  readonly workspace_path?: string | undefined
  /** What mocked servers saw of an attempt without an answer. */
  readonly mocked?: Mocked | undefined
  /** The failure comes from the cache. */
  readonly cached?: true | undefined
  /** Duration of an attempt without an answer. */
  readonly elapsed_ms?: number | undefined
}

type RecordContext = Pick<AttemptContext, 'run_id' | 'hashes' | 'recordedPath'>

function resultOf(made: AttemptOutcome, context: RecordContext): Result {
  const { answer, checks, attempt } = made
  const { score, verdict } = answer ? judgeChecks(checks, attempt.threshold) : NO_SCORE
  return recordOf(made, { score, verdict, mark: markRecord(attempt.mark) }, context)
}

type Judged = ReturnType<typeof judgeChecks> & { readonly mark: RecordedMark }

/** One literal instead of spreads: with 100,000 tests that saves hundreds of megabytes. */
function recordOf(made: AttemptOutcome, { score, verdict, mark }: Judged, context: RecordContext): Result {
  const { attempt, answer, checks } = made
  const { suite, test, target, threshold } = attempt
  return {
    schema_version: SCHEMA_VERSION,
    run_id: context.run_id,
    index: attempt.index,
    attempt_id: attempt.id,
    test_hash: attempt.test_hash,
    shared_hash: attempt.shared_hash,
    target_hash: attempt.target_hash,
    input_hash: attempt.request_id,
    checks_hash: attempt.checks_hash,
    judges_hash: attempt.judges_hash || undefined,
    suite: suite.name,
    file: context.recordedPath(test.at.file),
    line: test.at.line(),
    test_id: test.id,
    conversation_id: test.conversation_id,
    description: test.description,
    criteria: test.criteria,
    note: test.note,
    tags: test.tags as string[],
    metadata: test.metadata,
    input: recordedMessages(testInArm(test, attempt).input, context.hashes),
    expected_output: recordedExpectation(test.expected_output, context.hashes),
    target: target.name,
    control: attempt.is_control,
    control_of: attempt.control_of,
    expected_failure: mark.expected_failure,
    quarantine: mark.quarantine,
    provider: target.provider.type,
    model: answer?.model,
    trial: attempt.trial,
    rerun: attempt.rerun,
    added: attempt.added,
    timestamp: made.timestamp,
    threshold,
    score,
    verdict,
    hits: checks.flatMap(({ hits }) => hits),
    misses: checks.flatMap(({ misses }) => misses),
    answer: answer?.text ?? null,
    answer_number: answer?.answer_number,
    cached: answer?.cached ?? made.cached,
    failed_calls: answer?.failed_calls,
    output_messages: answer?.output_messages,
    finish_reason: answer?.finish_reason,
    trace_summary: answer?.output_messages && traceSummary(answer.output_messages),
    token_usage: answer?.token_usage,
    cost_usd: answer?.cost_usd,
    duration_ms: answer?.duration_ms,
    elapsed_ms: made.elapsed_ms,
    judge_usage: made.judge_usage,
    trigger_threshold: triggersIn(checks) && suite.metadata.trigger_threshold,
    workspace_path: made.workspace_path,
    changes: answer?.changes,
    mock_calls: answer?.mock_calls ?? (made.mocked?.mock_calls as MockCall[] | undefined),
    state: answer?.state ?? made.mocked?.state,
    evaluator_results: checks,
    error: made.error,
  }
}

const NO_SCORE = { score: null, verdict: 'error' } as const
