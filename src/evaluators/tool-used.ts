import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping, withoutNullish } from '../lib/objects.ts'
import { withHints } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import * as z from '../lib/zod.ts'
import type { ToolCall } from '../model/answer.ts'
import type { Issue } from '../model/issue.ts'
import { inexpressible, type PluginGraders } from '../model/plugin-grader.ts'
import type { ProbeSet } from '../model/probe.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type CountRange, describeTimes, parseRange, RANGE_WORDS, rangeIssues } from './shared/count-range.ts'
import { MOST_CALLS, repeatedProbes } from './shared/probes.ts'
import { unquote } from './shared/quoting.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import {
  callFields,
  callKeys,
  callMatcher,
  callPatternIssues,
  describePattern,
  patternSentence,
  QUOTED_TEXT,
  sampleCall,
} from './shared/trajectories/call-pattern.ts'
import { describeCalls } from './shared/trajectories/calls-seen.ts'
import { toolCallsOf } from './shared/trajectories/transcript.ts'

const config = () =>
  withHints(
    z.strictObject({
      ...callFields(),
      args: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Arguments that the call must have, at every level. Other arguments are ignored.'),
      output_match: z
        .string()
        .min(1)
        .optional()
        .describe('Regular expression that matches somewhere in the output: its text, or its compact JSON.'),
      min: z.int().min(0).optional().describe('Minimum number of calls. Default: 1, or 0 with `max: 0`.'),
      max: z.int().min(0).optional().describe('Maximum number of calls. `max: 0`: the tool must not be called.'),
      succeeded: z
        .union([z.boolean(), z.literal('any')])
        .optional()
        .describe(
          'Which calls count: `true` those that succeeded, `false` those that failed, `any` all. Default: `true` for `min` and `any` for `max`.',
        ),
    }),
    { keys: { input: 'write the arguments as `args`, or a pattern as `input_match`' } },
  )

type Config = z.output<ReturnType<typeof config>>

export const toolUsed = defineEvaluator({
  type: 'tool_used',
  summary: 'The agent called a tool, as often as it should.',
  notes: [
    'A call counts if its name matches `tool` and everything else that you give holds: `args`, `input_match` and `output_match`. Tools of MCP servers are named `mcp__server__tool`, so `mcp__orders__*` is every tool of the server `orders`. Calls of subagents count too. An answer without a transcript is an error.',
    'A call that was refused, failed or named an unknown tool has an error in the transcript, and does not count for `min`, but does for `max`: a tool that must not be called must not be tried either. Write `succeeded` to count the same calls for both.',
    'The score is 1 if the number of calls is within the bounds, else 0. `max: 0` alone means that the tool must not be called: `min` is 0 then. `min` above `max`, and `min: 0` without `max`, are reported before the run.',
    'The input is matched as compact JSON, without spaces between keys and values: `"command":"npm test"`. A call without an output does not match any `output_match`.',
  ],
  config,
  examples: [
    { title: 'The tests are run', check: { type: 'tool_used', tool: 'Bash', input_match: 'npm (run )?test' } },
    { title: 'A tool that must not be called', check: { type: 'tool_used', tool: 'mcp__orders__refund', max: 0 } },
    {
      title: 'One successful call with these arguments',
      check: { type: 'tool_used', tool: 'mcp__orders__cancel', args: { id: 'A1' }, min: 1, max: 1, succeeded: true },
    },
  ],
  validate: { check: issuesOf },
  probing: { probes: probesOf, asksForCalls: fields => rangeOf(fields).max !== 0 },
  plugin: ({ config, negate }) => gradersOf(config, negate),
  about_calls: true,
  sentences: {
    write: ({ config, negate }) => [sentenceOf(sentence(config), negate)],
    parse: said => {
      const { said: statement, negate } = parseNegation(said)
      const fields = parse(statement)
      return fields && { ...fields, ...negateField(negate) }
    },
  },
  grade: (fields, { answer }, { host }) => {
    const calls = toolCallsOf(answer)
    const matching = calls.filter(callMatcher(fields, host))
    const { min, max } = rangeOf(fields)
    const [forMin, forMax] = [fields.succeeded ?? true, fields.succeeded ?? 'any'].map(which =>
      matching.filter(call => which === 'any' || which === (call.error === undefined)),
    ) as [ToolCall[], ToolCall[]]
    const what = describePattern(fields)
    const counted = matching.length === 0 ? `${what} was not called` : `${what} was called ${describeCount(matching)}`
    const range = describeTimes({ min, max })
    if (forMin.length < min) return miss(`${counted}, expected ${range}; ${describeCalls(calls)}`)
    if (max !== undefined && forMax.length > max)
      return miss(`${counted}, expected ${max === 0 ? 'no call' : range}; ${describeCalls(forMax)}`)
    return { score: 1, hits: [max === 0 ? counted : `${counted} (expected ${range})`], misses: [] }
  },
})

function rangeOf({ min, max }: Pick<Config, 'min' | 'max'>): CountRange {
  return { min: min ?? (max === 0 ? 0 : 1), max }
}

/** As many calls as are allowed, and one more. */
function probesOf(fields: Config): ProbeSet {
  const { min, max = min } = rangeOf(fields)
  const call = { ...sampleCall(fields), ...(fields.succeeded === false ? { error: 'failed' } : {}) }
  const isMatch = fields.input_match === undefined && fields.output_match === undefined
  return { probes: repeatedProbes(call, [min, max, max + 1]), is_complete: isMatch && max < MOST_CALLS }
}

function miss(text: string) {
  return { score: 0, hits: [], misses: [text] }
}

/** `3 times`, `3 times (1 failed)`. */
function describeCount(calls: readonly ToolCall[]): string {
  const failed = calls.filter(({ error }) => error !== undefined).length
  return `${plural(calls.length, 'time')}${failed === 0 ? '' : ` (${failed} failed)`}`
}

const WHICH = { true: 'only successful calls', false: 'only failed calls', any: 'all calls' } as const

function sentence(fields: Config): string {
  const { output_match, args, succeeded } = fields
  const range = rangeOf(fields)
  const verb = range.max === 0 && range.min === 0 ? 'did not call' : `called, ${describeTimes(range)},`
  return [
    `Agent ${verb} ${patternSentence(fields)}`,
    ...(output_match === undefined ? [] : [`, with output matching ${patternSentence({ tool: output_match })}`]),
    ...(succeeded === undefined ? [] : [`, counting ${WHICH[`${succeeded}`]}`]),
    ...(args === undefined ? [] : [`, with the arguments ${JSON.stringify(args)}`]),
  ].join('')
}

const SAID = new RegExp(
  [
    `^Agent (?:did not call|called, (${RANGE_WORDS} times?),) (${QUOTED_TEXT})`,
    `(?: with input matching (${QUOTED_TEXT}))?`,
    `(?:, with output matching (${QUOTED_TEXT}))?`,
    `(?:, counting (${Object.values(WHICH).join('|')}))?`,
    '(?:, with the arguments (\\{.*\\}))?$',
  ].join(''),
  's',
)

function parse(said: string): Record<string, unknown> | undefined {
  const found = SAID.exec(said)
  if (!found) return undefined
  const [, words, tool = '', input, output, which, json] = found
  const range = words === undefined ? { max: 0 } : parseRange(words)
  const args = json === undefined ? undefined : parseJson(json)
  if (json !== undefined && !isMapping(args)) return undefined
  const [counted] = Object.entries(WHICH).find(([, text]) => text === which) ?? []
  const fields = withoutNullish({
    tool: unquote(tool),
    input_match: input && unquote(input),
    output_match: output && unquote(output),
    args,
    ...range,
    succeeded: counted === undefined || counted === 'any' ? counted : counted === 'true',
  })
  return issuesOf(fields as Config).length === 0 ? fields : undefined
}

function issuesOf(fields: Config): Issue[] {
  return [...callPatternIssues(fields), ...rangeIssues(rangeOf(fields))]
}

function gradersOf(fields: Config, negate: boolean): PluginGraders {
  const { output_match, args, succeeded } = fields
  const call = callKeys(fields)
  const range = negate ? outside(rangeOf(fields)) : rangeOf(fields)
  if (!call) return inexpressible('wildcards in the name of a tool')
  if (!range) return inexpressible('a negated range of calls')
  if (output_match !== undefined || args !== undefined || succeeded === false)
    return inexpressible('conditions other than `input_match`')
  const { min, max } = range
  const limits = { ...(min === 1 ? {} : { min }), ...(max === undefined ? {} : { max }) }
  const grader = { type: 'tool_used' as const, keys: { ...call, ...limits } }
  if (succeeded === undefined && min === 0 && !negate) return { graders: [grader], lost: [] }
  const countsFailed = succeeded === 'any' || (succeeded === undefined && negate && max === undefined)
  // A grader of plugin evals is read as a check that counts them only for its maximum.
  return { graders: [grader], lost: [countsFailed ? '`succeeded: any`' : 'that only successful calls count'] }
}

/** The numbers outside of a range, if they are a range. */
function outside({ min, max }: CountRange): CountRange | undefined {
  if (max === undefined) return { min: 0, max: min - 1 }
  return min === 0 ? { min: max + 1 } : undefined
}
