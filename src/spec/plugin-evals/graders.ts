import { lazily } from '../../lib/lazily.ts'
import { withoutNullish } from '../../lib/objects.ts'
import { visibleText, withHints } from '../../lib/schema-rules.ts'
import * as z from '../../lib/zod.ts'
import type { Issue } from '../../model/issue.ts'
import { PLUGIN_VOTES } from '../../model/plugin-grader.ts'
import { CONTROL_ARM_NOTE } from './arms.ts'

const text = lazily(() => z.string().min(1))

const commonFields = lazily(() => ({
  name: text().optional().describe('Name of the grader. Default: the name of its file.'),
  weight: z.number().gt(0).optional().describe('Weight in the score. Default: 1.'),
  arm: z.enum(['with-only', 'both']).optional().describe(CONTROL_ARM_NOTE),
}))

type CommonFields = z.output<z.ZodObject<ReturnType<typeof commonFields>>>

/** A check as written, from the fields of a grader. */
export interface GraderCheck {
  readonly fields: Readonly<Record<string, unknown>>
  /** Keys of the grader, by the key of the check that is called otherwise. */
  readonly keys?: Readonly<Record<string, string>>
}

/** A type of grader. */
export interface GraderType {
  schema(): z.ZodObject
  /** The field that the text of a file is. Without it, the text is only a note. */
  readonly body?: 'pattern' | 'criteria'
  /** Converts the fields into a check. `baseline` is the transcript to compare with, as text. */
  check(fields: CommonFields, baseline: string): GraderCheck
  /** Whether it is scored only where no arm runs without the plugin. */
  isWithOnly?(fields: CommonFields): boolean
  /** Problems that the check itself does not have. */
  issues?(fields: CommonFields): readonly Issue[]
}

const lookedAt = lazily(() =>
  withHints(
    z
      .union([
        z.enum(['last_message', 'trace', 'files', 'mock_calls']),
        z.strictObject({ source: z.literal('file'), path: text() }),
      ])
      .optional()
      .describe('What is looked at. Default: `last_message`.'),
    { value: () => 'write a file as `{source: file, path: PATH}`' },
  ),
)

const SUBJECTS = { last_message: undefined, trace: 'transcript', files: 'files', mock_calls: 'mock_calls' } as const

function subjectOf(written: z.output<ReturnType<typeof lookedAt>>) {
  return typeof written === 'object' ? { file: written.path } : written && SUBJECTS[written]
}

const regex = defineGrader({
  fields: () => ({
    pattern: text().describe('JavaScript regular expression.'),
    flags: z
      .string()
      .regex(/^[dgimsu]*$/, 'has flags other than `i`, `m`, `s` and `u`; `g` and `d` change nothing')
      .optional(),
    match: z
      .string()
      .regex(/^(?:contains|not_contains|count:\d{1,9})$/, 'is not `contains`, `not_contains` or `count:N`')
      .optional(),
    target: lookedAt(),
  }),
  body: 'pattern',
  check: ({ pattern, flags = '', match, target }) => {
    const [, count] = /^count:(\d+)$/.exec(match ?? '') ?? []
    const isRepeated = new Set(flags).size < flags.length
    return {
      fields: withoutNullish({
        type: 'regex',
        value: pattern,
        // A repeated flag is reported with the check.
        flags: isRepeated ? 'ii' : flags.replace(/[dg]/g, '') || undefined,
        count: count === undefined ? undefined : Number(count),
        negate: match === 'not_contains' ? true : undefined,
        subject: subjectOf(target),
      }),
      keys: { value: 'pattern', count: 'match', subject: 'target' },
    }
  },
})

const toolName = lazily(() =>
  z.string().regex(/^[^*?]+$/, 'is not the name of a tool: `*` and `?` are not wildcards here'),
)

const toolUsed = defineGrader({
  fields: () => ({
    tool: toolName().describe('Name of the tool.'),
    input_match: text().optional().describe('Regular expression for the compact JSON of the input.'),
    min: z.int().min(0).optional().describe('Minimum number of calls. Default: 1.'),
    max: z.int().min(0).optional().describe('Maximum number of calls.'),
  }),
  check: ({ tool, input_match, min, max }) => ({
    fields: withoutNullish({ type: 'tool_used', tool, input_match, min, max }),
  }),
  isWithOnly: ({ tool }) => tool === 'Skill',
  issues: ({ min, max }) => {
    if (min !== undefined || max !== 0) return []
    const message = '`max: 0` without `min` cannot pass: `min` is 1 by default'
    return [{ code: 'bad-range', path: ['max'], message, hint: 'add `min: 0` for a tool that must not be called' }]
  },
})

const callPattern = lazily(() =>
  z.union([toolName(), z.strictObject({ tool: toolName(), input_match: text().optional() })]),
)

const toolOrder = defineGrader({
  fields: () => ({
    before: callPattern().describe('The earlier call.'),
    after: callPattern().describe('The later call.'),
  }),
  check: ({ before, after }) => ({ fields: { type: 'tool_order', before, after } }),
})

const fileExists = defineGrader({
  fields: () => ({
    path: z
      .string()
      .min(1)
      .regex(/^(?!\.\/).*[^/]$/s, 'matches no file: write the path of a file, without `./` and without `/` at the end')
      .describe('Path or glob of a file that the agent creates.'),
    exists: z.boolean().optional().describe('Whether it is created. Default: true.'),
  }),
  check: ({ path, exists = true }) => ({
    fields: {
      type: 'file',
      // Only `*` and `**` are wildcards in a grader.
      path: path.replace(/[{}[\]?]/g, '\\$&'),
      state: 'created',
      ...(exists ? {} : { count: 0 }),
    },
    keys: { count: 'exists' },
  }),
})

const criteria = lazily(() => visibleText().describe('What makes a result good.'))

const llm = defineGrader({
  fields: () => ({ criteria: criteria(), focus: lookedAt() }),
  body: 'criteria',
  check: ({ criteria, focus }) => ({
    fields: withoutNullish({ type: 'rubrics', criteria, subject: subjectOf(focus), votes: PLUGIN_VOTES }),
    keys: { subject: 'focus' },
  }),
})

const baseline = defineGrader({
  fields: () => ({
    criteria: criteria(),
    baseline_file: z
      .string()
      .regex(/\.jsonl$/, 'is not the path of a `.jsonl` file')
      .describe('The transcript to compare with, in the folder of the case.'),
  }),
  body: 'criteria',
  check: ({ criteria }, transcript) => ({
    fields: {
      type: 'llm_judge',
      prompt: comparison(transcript),
      rubrics: [criteria],
      subject: 'transcript',
      votes: PLUGIN_VOTES,
    },
    keys: { prompt: 'baseline_file', rubrics: 'criteria' },
  }),
})

/** The prompt of a judge that compares transcripts. Braces of the transcript are not variables. */
function comparison(transcript: string): string {
  const literal = transcript.replace(/\{\{[^{}]*\}\}/g, '\\$&')
  return `Compare what the agent did with the reference below, the transcript of an earlier run of the same task. Judge each item by that comparison.\n\n# Reference transcript\n${literal}`
}

/** The types of graders. */
export const GRADERS: ReadonlyMap<string, GraderType> = new Map<string, GraderType>([
  ['regex', regex],
  ['tool_used', toolUsed],
  ['tool_order', toolOrder],
  ['file_exists', fileExists],
  ['llm', llm],
  ['baseline', baseline],
])

interface GraderDefinition<Shape extends z.ZodRawShape> {
  fields(): Shape
  readonly body?: GraderType['body']
  check(fields: z.output<z.ZodObject<Shape>>, baseline: string): GraderCheck
  isWithOnly?(fields: z.output<z.ZodObject<Shape>>): boolean
  issues?(fields: z.output<z.ZodObject<Shape>>): readonly Issue[]
}

function defineGrader<Shape extends z.ZodRawShape>({ fields, ...grader }: GraderDefinition<Shape>): GraderType {
  const schema = lazily(() => z.strictObject({ type: z.string(), ...commonFields(), ...fields() }))
  return { schema, ...grader } as GraderType
}

/** Whether a grader is scored only where no arm runs without the plugin. */
export function isWithOnly(type: GraderType, fields: CommonFields): boolean {
  return fields.arm === undefined ? (type.isWithOnly?.(fields) ?? false) : fields.arm === 'with-only'
}
