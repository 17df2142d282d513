import * as z from 'zod'
import { parseJsonPath, valueAt } from '../lib/json/path.ts'
import { deepEqual } from '../lib/objects.ts'
import { atLeastOne, ruleParams, withHints } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import { quoteCode } from '../lib/text/quote.ts'
import type { ToolCall } from '../model/answer.ts'
import type { Issue } from '../model/issue.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type Fact, hitsAndMisses } from './shared/fact.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import { describeAlignment, describeCall } from './shared/trajectories/missed-call.ts'
import { trajectories } from './shared/trajectories/trajectory.ts'
import {
  MODES,
  parseTrajectory,
  type TrajectoryMode,
  trajectorySentence,
} from './shared/trajectories/trajectory-sentence.ts'
import { toolCallsOf } from './shared/trajectories/transcript.ts'

const expectedCall = withHints(
  z
    .strictObject({
      tool: z.string().min(1).describe('Name of the tool.'),
      args: z
        .union([z.literal('any'), z.record(z.string(), z.unknown())])
        .optional()
        .describe('Arguments that the call must have, or `any`. Only the keys given here are compared.'),
      args_match: z
        .union([z.enum(['exact', 'subset', 'superset', 'ignore']), z.array(z.string().min(1)).min(1)])
        .optional()
        .describe('How the arguments are compared; a list names the paths that count.'),
      max_duration_ms: z.number().min(0).optional().describe('The longest time the call may take.'),
    })
    .describe('A call that is expected.'),
  {
    keys: {
      input: 'write the arguments as `args`',
      output: 'results of calls are not compared: use a `code_judge`, which reads them in `output_messages`',
    },
  },
)

function limits(name: string) {
  const isEmpty = { error: `\`${name}\` must not be empty`, ...ruleParams({ code: 'out-of-range' }) }
  return z
    .record(z.string(), z.int().min(0))
    .refine(counts => Object.keys(counts).length > 0, isEmpty)
    .meta({ minProperties: 1 })
    .optional()
}

export const toolTrajectory = defineEvaluator({
  type: 'tool_trajectory',
  summary: 'The agent called the expected tools.',
  notes: [
    'The names of tools are compared exactly, arguments by the keys that are given, nested likewise. `args_match` changes that: `exact`, `superset` (the default: the call has all of these), `subset` (the call has nothing but these), `ignore`, or a list of paths that count. An answer that came as text only is an error. So is an argument beyond 2^53 that equals the expected one, since numbers do not tell such integers from their neighbours: pass them as strings.',
    '`any_order`: every expected call takes a call of its own, in the way that satisfies most; the score is the share. `superset`: the same. `in_order`: the share of the longest match in order; 0 where all are there but not in this order. `exact`: the same calls, in the same order, and no others: 1, else 0. `subset`: the share of the calls made that were expected; 1 where none was made.',
    'Each key of `minimums`, and each `max_duration_ms`, is one more entry in the share. A duration that was not reported is an error. A call that is `forbidden`, or one more than `maximums` allows, makes the score 0.',
  ],
  config: withHints(
    atLeastOne(
      z.strictObject({
        mode: z
          .enum(Object.keys(MODES) as TrajectoryMode[])
          .default('any_order')
          .describe('How the calls made are compared with those expected.'),
        expected: z.array(expectedCall).optional().describe('The calls that are expected.'),
        minimums: limits('minimums').describe('By tool, how often it must be called at least.'),
        maximums: limits('maximums').describe('By tool, how often it may be called at most.'),
        forbidden: z.array(z.string().min(1)).min(1).optional().describe('Tools that must not be called.'),
      }),
      'expected',
      'minimums',
      'maximums',
      'forbidden',
    ),
    { keys: { args_match: 'write it in each entry of `expected`' } },
  ),
  examples: [
    {
      title: 'Search, then read',
      check: { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'search' }, { tool: 'read_file' }] },
    },
    {
      title: 'With arguments, and a tool that must not be called',
      check: {
        type: 'tool_trajectory',
        expected: [{ tool: 'greet', args: { name: 'Alice' } }],
        minimums: { search: 1 },
        forbidden: ['delete_file'],
      },
    },
  ],
  sentences: {
    write: ({ config, negate }) => [sentenceOf(trajectorySentence(config), negate)],
    parse: sentence => {
      const { said, negate } = parseNegation(sentence)
      const fields = parseTrajectory(said)
      return fields && { ...fields, ...negateField(negate) }
    },
    omits: ({ expected = [] }) => [
      ...(expected.some(({ args }) => args !== undefined && args !== 'any') ? ['the arguments of calls'] : []),
      ...(expected.some(({ max_duration_ms }) => max_duration_ms !== undefined) ? ['how long calls may take'] : []),
    ],
  },
  validate: {
    check: ({ expected = [] }) =>
      expected.flatMap(({ args, args_match }, index) => {
        if (!Array.isArray(args_match)) return []
        return args_match.flatMap((path, place): Issue[] => {
          const steps = parseJsonPath(path)
          if (steps && valueAt(args, steps)) return []
          const message = `the \`args\` have no ${quoteCode(path)}`
          return [{ code: 'unknown-path', path: ['expected', index, 'args_match', place], message }]
        })
      }),
  },
  grade: ({ mode, expected, minimums, maximums, forbidden = [] }, { answer }) => {
    const calls = toolCallsOf(answer)
    const { facts, isVoid } = expected ? trajectories[mode](expected, calls) : NOTHING
    const least = counts(minimums, calls, (count, limit) => count >= limit, 'at least')
    const entries = [...facts, ...least]
    const rules = [
      ...counts(maximums, calls, (count, limit) => count <= limit, 'at most'),
      ...forbidden.map(tool => notCalled(tool, calls)),
    ]
    const { hits, misses } = hitsAndMisses([...entries, ...rules])
    const isZero = isVoid || rules.some(({ kept }) => !kept) || (mode === 'exact' && least.some(({ kept }) => !kept))
    const share = entries.length === 0 ? 1 : entries.filter(({ kept }) => kept).length / entries.length
    const score = isZero ? 0 : share
    const names = [(expected ?? []).map(nameOf), calls.map(nameOf)] as const
    const isShown = expected && score < 1 && !deepEqual(...names)
    return { score, hits, misses: isShown ? [...misses, describeAlignment(...names)] : misses }
  },
})

const NOTHING = { facts: [], isVoid: false }

/** How often tools were called, against limits. */
function counts(
  limits: Readonly<Record<string, number>> | undefined,
  calls: readonly ToolCall[],
  isKept: (count: number, limit: number) => boolean,
  words: string,
): Fact[] {
  return Object.entries(limits ?? {}).map(([tool, limit]) => {
    const count = calls.filter(call => call.tool === tool).length
    return {
      kept: isKept(count, limit),
      text: `${tool} was called ${plural(count, 'time')}, expected ${words} ${limit}`,
    }
  })
}

function notCalled(tool: string, calls: readonly ToolCall[]): Fact {
  const call = calls.find(call => call.tool === tool)
  return call
    ? { kept: false, text: `${describeCall(call)}, which is forbidden` }
    : { kept: true, text: `${tool} was not called` }
}

function nameOf({ tool }: { readonly tool: string }): string {
  return tool
}
