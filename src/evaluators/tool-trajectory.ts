import { parseJsonPath, valueAt } from '../lib/json/path.ts'
import { lazily } from '../lib/lazily.ts'
import { deepEqual } from '../lib/objects.ts'
import { atLeastOne, ruleParams, withHints } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import { quoteCode } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import type { ToolCall } from '../model/answer.ts'
import type { Issue } from '../model/issue.ts'
import type { ProbeSet } from '../model/probe.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type Fact, hitsAndMisses } from './shared/fact.ts'
import { OTHER_CALL, repeatedProbes } from './shared/probes.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import { describeAlignment, describeCall } from './shared/trajectories/missed-call.ts'
import { trajectories } from './shared/trajectories/trajectory.ts'
import { trajectoryGraders } from './shared/trajectories/trajectory-graders.ts'
import {
  MODES,
  parseTrajectory,
  type TrajectoryMode,
  trajectorySentence,
} from './shared/trajectories/trajectory-sentence.ts'
import { toolCallsOf } from './shared/trajectories/transcript.ts'

const expectedCall = lazily(() =>
  withHints(
    z
      .strictObject({
        tool: z.string().min(1).describe('Name of the tool.'),
        args: z
          .union([z.literal('any'), z.record(z.string(), z.unknown())])
          .optional()
          .describe('Arguments that the call must have, or `any`. Other arguments are ignored.'),
        args_match: z
          .union([z.enum(['exact', 'subset', 'superset', 'ignore']), z.array(z.string().min(1)).min(1)])
          .optional()
          .describe('How to compare the arguments; a list names the paths to compare.'),
        max_duration_ms: z.number().min(0).optional().describe('Maximum duration of the call, in milliseconds.'),
      })
      .describe('An expected call.'),
    {
      keys: {
        input: 'write the arguments as `args`',
        output: 'results of calls are not compared: use a `code_judge`, which reads them in `output_messages`',
      },
    },
  ),
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
    'Tool names are compared exactly; arguments are compared by the keys that you give, at every level. `args_match` changes that: `superset` (default: the call has at least these arguments), `subset` (the call has no other arguments), `exact`, `ignore`, or a list of paths to compare. An answer without a transcript is an error. An integer argument beyond 2^53 that equals the expected one is an error too, because numbers cannot represent such integers exactly: pass them as strings.',
    '`any_order` and `superset`: each expected call is matched with a different call, so that as many as possible match; the score is the share that matches. `in_order`: the share of expected calls in the longest match in order; 0 if all calls were made but in another order. `exact`: 1 for the same calls in the same order and no others, else 0. `subset`: the share of the calls made that were expected; 1 if no call was made.',
    'Calls of subagents count like those of the agent, in the order in which they were made. Messages about calls name the subagent. Subagents in the background run at the same time as the agent, so the order of their calls may change from one attempt to the next: prefer `any_order` for them.',
    'Each key of `minimums` and each `max_duration_ms` counts as one more entry of the share. A duration that the target did not report is an error. A `forbidden` call, or more calls than `maximums` allows, makes the score 0.',
  ],
  config: () =>
    withHints(
      atLeastOne(
        z.strictObject({
          mode: z
            .enum(Object.keys(MODES) as TrajectoryMode[])
            .default('any_order')
            .describe('How to compare the calls with the expected ones.'),
          expected: z.array(expectedCall()).optional().describe('The expected calls.'),
          minimums: limits('minimums').describe('Minimum number of calls, by tool.'),
          maximums: limits('maximums').describe('Maximum number of calls, by tool.'),
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
  about_calls: true,
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
  plugin: ({ config, negate }) => trajectoryGraders(config, negate),
  probing: {
    probes: probesOf,
    asksForCalls: ({ expected = [], minimums }) => expected.length > 0 || minimums !== undefined,
  },
  validate: {
    check: ({ expected = [] }) =>
      expected.flatMap(({ args, args_match }, index) => {
        if (!Array.isArray(args_match)) return []
        return args_match.flatMap((path, position): Issue[] => {
          const steps = parseJsonPath(path)
          if (steps && valueAt(args, steps)) return []
          const message = `the \`args\` have no ${quoteCode(path)}`
          return [{ code: 'unknown-path', path: ['expected', index, 'args_match', position], message }]
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
    return { score, hits, misses: isShown ? [...misses, describeAlignment(names[0], calls)] : misses }
  },
})

interface Calls {
  readonly expected?: readonly { readonly tool: string; readonly args?: unknown }[] | undefined
  readonly minimums?: Readonly<Record<string, number>> | undefined
  readonly maximums?: Readonly<Record<string, number>> | undefined
  readonly forbidden?: readonly string[] | undefined
}

/** The expected calls, and those that are one too many. */
function probesOf({ expected = [], minimums = {}, maximums = {}, forbidden = [] }: Calls): ProbeSet {
  const wanted = expected.map(({ tool, args }) => ({ tool, input: args === 'any' ? {} : args, duration_ms: 0 }))
  const least = Object.entries(minimums).flatMap(([tool, times]) => repeatedProbes({ tool }, [times]))
  const calls = [...wanted, ...least.flatMap(probe => probe.calls ?? [])]
  const most = Object.entries(maximums).flatMap(([tool, times]) => repeatedProbes({ tool }, [times + 1]))
  const unwanted = forbidden.map(tool => ({ calls: [{ tool }] }))
  return { probes: [{ calls }, { calls: [OTHER_CALL, ...calls] }, ...most, ...unwanted], is_complete: false }
}

const NOTHING = { facts: [], isVoid: false }

/** Compares how often tools were called with limits. */
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
