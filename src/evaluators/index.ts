import type { Evaluator } from '../model/evaluator.ts'
import { agentJudge } from './agent-judge.ts'
import { codeJudge } from './code-judge.ts'
import { command } from './command.ts'
import { composite } from './composite.ts'
import { cost } from './cost.ts'
import { equals } from './equals.ts'
import { executionMetrics } from './execution-metrics.ts'
import { fieldAccuracy } from './field-accuracy.ts'
import { file } from './file.ts'
import { fileChanges } from './file-changes.ts'
import { formatEvaluators } from './format-evaluators.ts'
import { isJson } from './is-json.ts'
import { latency } from './latency.ts'
import { llmJudge } from './llm-judge.ts'
import { pairwise } from './pairwise.ts'
import { regex } from './regex.ts'
import { rubrics } from './rubrics.ts'
import { similar } from './similar.ts'
import { textEvaluators } from './text-evaluators.ts'
import { textMetrics } from './text-metrics.ts'
import { tokenUsage } from './token-usage.ts'
import { toolOrder } from './tool-order.ts'
import { toolTrajectory } from './tool-trajectory.ts'
import { toolUsed } from './tool-used.ts'
import { triggerJudge } from './trigger-judge.ts'
import { wordCount } from './word-count.ts'

/** Every built-in evaluator, in the order of the reference. */
export const evaluators: readonly Evaluator[] = [
  ...textEvaluators,
  equals,
  regex,
  isJson,
  ...formatEvaluators,
  wordCount,
  ...textMetrics,
  similar,
  latency,
  cost,
  tokenUsage,
  executionMetrics,
  fieldAccuracy,
  toolTrajectory,
  toolUsed,
  toolOrder,
  triggerJudge,
  file,
  fileChanges,
  command,
  codeJudge,
  llmJudge,
  rubrics,
  agentJudge,
  pairwise,
  composite,
]
