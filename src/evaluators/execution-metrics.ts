import { atLeastOne } from '../lib/schema-rules.ts'
import { formatNumber } from '../lib/text/format.ts'
import * as z from '../lib/zod.ts'
import { type Answer, type ToolCall, totalTokens } from '../model/answer.ts'
import type { ProbeSet } from '../model/probe.ts'
import { reaches } from '../model/verdict.ts'
import { defineEvaluator } from './define-evaluator.ts'
import type { Fact } from './shared/fact.ts'
import { describeLimits, dollars, gradeLimits, limit, milliseconds, NO_COST, parseLimits } from './shared/limits.ts'
import { OTHER_CALL, repeatedProbes } from './shared/probes.ts'
import { negateField } from './shared/sentences.ts'
import { toolCallsOf, transcriptOf } from './shared/trajectories/transcript.ts'

const UNITS = {
  max_tool_calls: 'tool calls',
  max_llm_calls: 'model calls',
  max_tokens: 'tokens',
  max_input_tokens: 'input tokens',
  max_output_tokens: 'output tokens',
  max_cost_usd: 'US dollars',
  max_duration_ms: 'ms',
}

export const executionMetrics = defineEvaluator({
  type: 'execution_metrics',
  summary: 'Tool calls, model calls, tokens, cost, duration and exploration are within limits.',
  notes: [
    'Limits are inclusive, and all of them must hold. A number that the target did not report is an error, not a miss. Tool calls, model calls and exploration need a transcript: for them, an answer without one is an error. Calls of tools and models by subagents count.',
    'Exploration is the share of tool calls to tools that only read (`Read`, `Grep`, `Glob`, `LS`, `search`, `fetch` and similar tools); 0 if no tool was called.',
  ],
  config: () =>
    atLeastOne(
      z.strictObject({
        max_tool_calls: limit('Maximum number of tool calls.'),
        max_llm_calls: limit('Maximum number of model calls.'),
        max_tokens: limit('Maximum number of tokens in total.'),
        max_input_tokens: limit('Maximum number of input tokens.'),
        max_output_tokens: limit('Maximum number of output tokens.'),
        max_cost_usd: limit('Maximum cost in US dollars.'),
        max_duration_ms: limit('Maximum duration in milliseconds.'),
        target_exploration_ratio: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe('Expected share of tool calls to tools that only read.'),
        exploration_tolerance: z
          .number()
          .min(0)
          .max(1)
          .default(0.1)
          .describe('Maximum difference from `target_exploration_ratio`.'),
      }),
      'max_tool_calls',
      'max_llm_calls',
      'max_tokens',
      'max_input_tokens',
      'max_output_tokens',
      'max_cost_usd',
      'max_duration_ms',
      'target_exploration_ratio',
    ),
  examples: [
    { title: 'Few calls', check: { type: 'execution_metrics', max_tool_calls: 10, max_duration_ms: 60_000 } },
    {
      title: 'Reads before it acts',
      check: { type: 'execution_metrics', target_exploration_ratio: 0.6, exploration_tolerance: 0.2 },
    },
  ],
  sentences: {
    write: ({ config, negate }) => {
      const { target_exploration_ratio: ratio, exploration_tolerance: tolerance } = config
      const exploration = ratio === undefined ? '' : `exploration ratio ${ratio} ± ${tolerance}`
      const bounds = [describeLimits(config, UNITS), exploration].filter(part => part !== '').join(', ')
      return [`Execution ${negate ? 'not ' : ''}within metric bounds: ${bounds}`]
    },
    parse: sentence => {
      const [, not, words] = /^Execution (not )?within metric bounds: (.+)$/.exec(sentence) ?? []
      if (words === undefined) return undefined
      const [exploration, ratio, tolerance] = /(?:^|, )exploration ratio (\S+) ± (\S+)$/.exec(words) ?? ['']
      const rest = words.slice(0, words.length - exploration.length)
      const limits = rest === '' ? {} : parseLimits(rest, UNITS)
      const share = { target_exploration_ratio: Number(ratio), exploration_tolerance: Number(tolerance) }
      return limits && { ...limits, ...(exploration === '' ? {} : share), ...negateField(not !== undefined) }
    },
  },
  probing: { probes: probesOf },
  grade: (config, { answer }) => {
    const { token_usage, cost_usd, duration_ms } = answer
    const { target_exploration_ratio: ratio } = config
    return gradeLimits(
      [
        { what: 'tool calls', limit: config.max_tool_calls, value: () => toolCallsOf(answer).length },
        { what: 'model calls', limit: config.max_llm_calls, value: () => modelCalls(answer) },
        { what: 'tokens in total', limit: config.max_tokens, value: () => totalTokens(token_usage) },
        { what: 'input tokens', limit: config.max_input_tokens, value: () => token_usage?.input },
        { what: 'output tokens', limit: config.max_output_tokens, value: () => token_usage?.output },
        { what: 'cost', limit: config.max_cost_usd, value: () => cost_usd, unknown: NO_COST, format: dollars },
        { what: 'duration', limit: config.max_duration_ms, value: () => duration_ms, format: milliseconds },
      ],
      ratio === undefined ? [] : [exploration(toolCallsOf(answer), ratio, config.exploration_tolerance)],
    )
  },
})

/** Figures of 0, and figures above every limit that is small enough to be exceeded by calls. */
function probesOf({
  max_tool_calls = 0,
  target_exploration_ratio,
}: {
  readonly max_tool_calls?: number | undefined
  readonly target_exploration_ratio?: number | undefined
}): ProbeSet {
  const least = { token_usage: { input: 0, output: 0 }, cost_usd: 0, duration_ms: 0 }
  const most = { token_usage: { input: MOST, output: MOST }, cost_usd: MOST, duration_ms: MOST }
  const reading = target_exploration_ratio === undefined ? [] : [{ ...least, calls: [{ tool: 'Read' }] }]
  const many = repeatedProbes(OTHER_CALL, [max_tool_calls + 1]).map(probe => ({ ...most, ...probe }))
  return { probes: [least, ...reading, ...many], is_complete: false }
}

const MOST = Number.MAX_SAFE_INTEGER / 4

function modelCalls(answer: Answer): number {
  return transcriptOf(answer).filter(({ role }) => role === 'assistant').length
}

/** Compares the share of calls to tools that only read with the target; 0 if nothing was called. */
function exploration(calls: readonly ToolCall[], target: number, tolerance: number): Fact {
  const reading = calls.filter(({ tool }) => isReadingTool(tool)).length
  const ratio = calls.length === 0 ? 0 : reading / calls.length
  const counts = `${reading} of ${calls.length} calls only read: ${formatNumber(ratio)}`
  const kept = reaches(tolerance, Math.abs(ratio - target))
  return { kept, text: `exploration ratio: ${counts}, ${kept ? 'within' : 'outside'} ${target} ± ${tolerance}` }
}

/** Names of tools that only read, in lower case without separators. */
const READING_TOOLS = new Set([
  'read',
  'readfile',
  'readfiles',
  'readmanyfiles',
  'notebookread',
  'view',
  'viewfile',
  'cat',
  'grep',
  'ripgrep',
  'glob',
  'ls',
  'list',
  'listdir',
  'listdirectory',
  'listfiles',
  'find',
  'findfiles',
  'search',
  'searchfiles',
  'searchcode',
  'codesearch',
  'codebasesearch',
  'filesearch',
  'websearch',
  'fetch',
  'webfetch',
  'fetchurl',
  'get',
  'lookup',
  'query',
])

/** Whether a tool only reads. A tool of an MCP server, `mcp__files__search`, is known by its last name. */
function isReadingTool(tool: string): boolean {
  const name = tool.split('__').at(-1) ?? tool
  return READING_TOOLS.has(name.toLowerCase().replace(/[\s_.-]/g, ''))
}
