import { z } from 'zod'
import { atLeastOne } from '../model/key-rules.ts'
import { defineEvaluator } from './evaluator.ts'
import { negated } from './shared/negated.ts'

const MODES = {
  any_order: 'Agent called tools in any order',
  in_order: 'Agent called tools in order',
  exact: 'Agent called exactly these tools',
  subset: 'Agent called no tools but',
  superset: 'Agent called at least these tools',
} as const

const expectedCall = z
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
  .describe('A call that is expected.')

const counts = z.record(z.string(), z.int().min(0))

export const toolTrajectory = defineEvaluator({
  type: 'tool_trajectory',
  summary: 'The agent called the expected tools.',
  config: atLeastOne(
    z.strictObject({
      mode: z
        .enum(Object.keys(MODES) as (keyof typeof MODES)[])
        .default('any_order')
        .describe('How the calls made are compared with those expected.'),
      expected: z.array(expectedCall).optional().describe('The calls that are expected.'),
      minimums: counts.optional().describe('By tool, how often it must be called at least.'),
      maximums: counts.optional().describe('By tool, how often it may be called at most.'),
      forbidden: z.array(z.string().min(1)).min(1).optional().describe('Tools that must not be called.'),
    }),
    'expected',
    'minimums',
    'maximums',
    'forbidden',
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
  sentence: ({ config, negate }) => {
    const limits = (counts: Record<string, number> = {}) =>
      Object.entries(counts)
        .map(([tool, count]) => `${tool} ${count}`)
        .join(', ')
    const parts = [
      [MODES[config.mode], config.expected?.map(call => call.tool).join(', ')],
      ['Agent called at least', limits(config.minimums)],
      ['Agent called at most', limits(config.maximums)],
      ['Agent did not call', config.forbidden?.join(', ')],
    ].filter(([, tools]) => tools)
    const sentence = parts.map(([words, tools]) => `${words}: ${tools}`).join('; ')
    return [negated(sentence, negate)]
  },
})
