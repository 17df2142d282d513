import { lazily } from '../lib/lazily.ts'
import { regexProblem } from '../lib/patterns.ts'
import * as z from '../lib/zod.ts'
import type { ToolCall } from '../model/answer.ts'
import { inexpressible } from '../model/plugin-grader.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { unquote } from './shared/quoting.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import {
  type CallPattern,
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

/** A name, or a name with conditions. */
const callPattern = lazily(() =>
  z
    .union([callFields().tool.transform((tool): CallPattern => ({ tool })), z.strictObject(callFields())])
    .describe('A call: the name of a tool, or a mapping with `tool` and `input_match`.'),
)

export const toolOrder = defineEvaluator({
  type: 'tool_order',
  summary: 'The agent called one tool before another.',
  notes: [
    'With `which: first`, the first call that matches `before` must be earlier than the first call that matches `after`. With `any`, some call that matches `before` must be earlier than some call that matches `after`. A call that matches both is not before itself.',
    'The score is 1 or 0; it is 0 if either call was never made. All calls count, also failed ones and those of subagents, in the order of the transcript. An answer without a transcript is an error.',
  ],
  config: () =>
    z.strictObject({
      before: callPattern().describe(
        'The earlier call: the name of a tool, or a mapping with `tool` and `input_match`.',
      ),
      after: callPattern().describe('The later call, in the same form.'),
      which: z
        .enum(['first', 'any'])
        .default('first')
        .describe('Compare the first calls of both, or look for any two calls in this order.'),
    }),
  examples: [
    { title: 'Read before any edit', check: { type: 'tool_order', before: 'Read', after: 'Edit' } },
    {
      title: 'A test run after some edit',
      check: {
        type: 'tool_order',
        before: 'Edit',
        after: { tool: 'Bash', input_match: 'npm test' },
        which: 'any',
      },
    },
  ],
  validate: {
    check: ({ before, after }) => [...callPatternIssues(before, ['before']), ...callPatternIssues(after, ['after'])],
  },
  probing: {
    asksForCalls: () => true,
    probes: ({ before, after }) => {
      const [first, second] = [sampleCall(before), sampleCall(after)]
      return { probes: [{ calls: [first, second] }, { calls: [second, first] }], is_complete: false }
    },
  },
  plugin: ({ config: { before, after, which }, negate }) => {
    const [earlier, later] = [callKeys(before), callKeys(after)]
    if (negate || which === 'any') return inexpressible(negate ? 'a negated order' : '`which: any`')
    if (!earlier || !later) return inexpressible('wildcards in the name of a tool')
    const short = ({ tool, ...conditions }: typeof earlier) =>
      Object.keys(conditions).length === 0 ? tool : { tool, ...conditions }
    return { graders: [{ type: 'tool_order', keys: { before: short(earlier), after: short(later) } }], lost: [] }
  },
  about_calls: true,
  sentences: {
    write: ({ config: { before, after, which }, negate }) => [
      sentenceOf(`Agent called ${patternSentence(before)} ${WORDS[which]} ${patternSentence(after)}`, negate),
    ],
    parse: sentence => {
      const { said, negate } = parseNegation(sentence)
      const [, first, firstInput, words, second, secondInput] = SAID.exec(said) ?? []
      if (first === undefined || second === undefined) return undefined
      const which = words === WORDS.any ? { which: 'any' } : {}
      if ([firstInput, secondInput].some(input => regexProblem(unquote(input ?? '') ?? '') !== undefined))
        return undefined
      return {
        before: fieldOf(first, firstInput),
        after: fieldOf(second, secondInput),
        ...which,
        ...negateField(negate),
      }
    },
  },
  grade: ({ before, after, which }, { answer }, { host }) => {
    const calls = toolCallsOf(answer)
    const [earlier, later] = [before, after].map(pattern => positions(calls, callMatcher(pattern, host))) as [
      number[],
      number[],
    ]
    const names = [describePattern(before), describePattern(after)] as const
    const absent = [earlier, later].flatMap((found, index) => (found.length === 0 ? [names[index]] : []))
    if (absent.length > 0)
      return {
        score: 0,
        hits: [],
        misses: [`${absent.join(' and ')} ${absent.length === 1 ? 'was' : 'were'} not called; ${describeCalls(calls)}`],
      }
    const [from = 0, until = 0] = [earlier[0], which === 'first' ? later[0] : later.at(-1)]
    const order = `${names[0]} was call ${from + 1}, ${names[1]} call ${until + 1}`
    if (from < until) return { score: 1, hits: [order], misses: [] }
    const expected = from === until ? 'a call is not before itself' : 'expected the other order'
    return { score: 0, hits: [], misses: [`${order}: ${expected}`] }
  },
})

const WORDS = { first: 'before', any: 'at some time before' } as const

const ONE_CALL = `(${QUOTED_TEXT})(?: with input matching (${QUOTED_TEXT}))?`
const SAID = new RegExp(`^Agent called ${ONE_CALL} (before|at some time before) ${ONE_CALL}$`, 's')

function fieldOf(tool: string, input: string | undefined): unknown {
  return input === undefined ? unquote(tool) : { tool: unquote(tool), input_match: unquote(input) }
}

function positions(calls: readonly ToolCall[], matches: (call: ToolCall) => boolean): number[] {
  return calls.flatMap((call, index) => (matches(call) ? [index] : []))
}
