import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { AssertionContext } from '../matrix/assertion-context.ts'
import { convertAssertion } from '../matrix/assertions.ts'
import { literal } from '../matrix/fill-variables.ts'
import type { Written } from '../written.ts'
import { SHARED_KEYS, withoutKeys } from './check-keys.ts'
import { convertTrajectory } from './trajectory.ts'

type Convert = (written: Written, context: AssertionContext) => Promise<Fields | undefined>

/** Checks of AgentV, by type with `-`. Those of other types are like the assertions of promptfoo. */
const CHECKS: Readonly<Record<string, Convert>> = {
  script: convertProgram,
  'code-judge': convertProgram,
  'code-grader': convertProgram,
  'llm-judge': convertJudge,
  'llm-grader': convertJudge,
  'llm-rubric': convertJudge,
  'agent-judge': convertAgentJudge,
  'agent-rubric': convertAgentJudge,
  rubrics: async (written, { notes }) => withoutKeys(written, 'rubrics', ['criteria', 'rubrics'], notes),
  composite: convertComposite,
  'field-accuracy': async (written, { notes }) =>
    withoutKeys(written, 'field_accuracy', ['fields', 'aggregation'], notes),
  'tool-trajectory': convertTrajectory,
  'execution-metrics': async (written, { notes }) => withoutKeys(written, 'execution_metrics', METRICS, notes),
  'skill-trigger': async (written, { notes }) =>
    withoutKeys(written, 'trigger_judge', ['skill', 'should_trigger'], notes),
  'token-usage': async (written, { notes }) =>
    withoutKeys(written, 'token_usage', ['max_total', 'max_input', 'max_output'], notes),
  'min-words': async written => {
    const min = written.get('value', 'min', 'threshold')?.number()
    return min === undefined ? undefined : { type: 'word_count', min }
  },
}

const METRICS = [
  ...['max_tool_calls', 'max_llm_calls', 'max_tokens', 'max_input_tokens', 'max_output_tokens', 'max_cost_usd'],
  ...['max_duration_ms', 'target_exploration_ratio', 'exploration_tolerance'],
]

/** Converts a check of AgentV. A text is a rubric. */
export async function agentvCheck(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const sentence = written.text()
  if (sentence !== undefined) return { type: 'rubrics', criteria: context.fill(sentence) }
  const type = written.get('type')?.text()?.replaceAll('_', '-')
  const convert = type === undefined || !Object.hasOwn(CHECKS, type) ? undefined : CHECKS[type]
  if (!convert) return plainAssertion(written, context)
  const converted = await convert(written, context)
  const check = converted && context.hasType(String(converted['type'])) ? converted : undefined
  if (!check) context.notes.leftOut(written.at, `the check ${quoteCode(type ?? '')}, with these settings`)
  return check && { ...check, ...sharedFields(written) }
}

/** An assertion that is written as in promptfoo, but for `negate` and `required`. */
async function plainAssertion(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const type = written.get('type')?.text()
  const isNegated = written.get('negate')?.value === true
  const dashed =
    type === undefined ? written : written.with({ ...(written.value as Fields), type: type.replaceAll('_', '-') })
  const check = await convertAssertion(dashed, context)
  if (!check) return undefined
  return { ...check, ...sharedFields(written), ...(isNegated ? { negate: check['negate'] !== true } : {}) }
}

function sharedFields(written: Written): Fields {
  const required = written.get('required')?.value
  const isMark = required === true || (typeof required === 'number' && required > 0 && required <= 1)
  return withoutNullish({
    name: written.get('name', 'metric')?.text(),
    weight: written.get('weight')?.number(),
    required: isMark ? required : undefined,
    negate: written.get('negate')?.value === true ? true : undefined,
    description: written.get('description')?.text(),
  })
}

/** The command keeps its words; files in it are named from the new place of the suite. Other keys are settings. */
async function convertProgram(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const command = written.get('command', 'script')
  const { value } = command ?? {}
  if (!command || !(typeof value === 'string' || (Array.isArray(value) && value.length > 0))) return undefined
  const words = command.list().map(item => item.text() ?? '')
  const cwd = written.get('cwd')?.text()
  const own = ['command', 'script', 'cwd', 'config', 'timeout_seconds', ...SHARED_KEYS]
  const settings = written.entries().filter(([key]) => !own.includes(key))
  const config = {
    ...Object.fromEntries(settings.map(([key, { value }]) => [key, value])),
    ...(written.get('config')?.value as Fields | undefined),
  }
  const timeout = written.get('timeout_seconds')?.number()
  return withoutNullish({
    type: 'code_judge',
    command: typeof value === 'string' ? value : words.map(word => rebased(word, written, context)),
    cwd: cwd === undefined ? undefined : rebased(cwd.startsWith('.') ? cwd : `./${cwd}`, written, context),
    config: Object.keys(config).length === 0 ? undefined : literal(config),
    timeout_seconds: timeout,
  })
}

/** A path from the file of the suite, as its new place needs it. */
export function rebased(word: string, { at }: Written, { files, output }: ImportContext): string {
  return /^\.{1,2}(?:\/|$)/.test(word) ? files.pathFrom(output, files.resolve(word, at.file)) : word
}

/** A judge with a prompt of its own, or a rubric. */
async function convertJudge(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const prompt = await judgePrompt(written, context)
  const rubric = written.get('value', 'criteria')
  const rubrics = written.get('rubrics')
  noteJudgeKeys(written, context)
  if (prompt === undefined && rubric?.text() !== undefined)
    return { type: 'rubrics', criteria: context.fill(rubric.text() ?? '') }
  if (prompt === undefined && rubrics) return { type: 'rubrics', rubrics: literal(rubrics.value) }
  if (prompt === undefined && written.get('prompt')) return undefined
  return withoutNullish({ type: 'llm_judge', prompt })
}

const JUDGE_KEYS = ['prompt', 'value', 'criteria', 'rubrics', 'max_steps', ...SHARED_KEYS]

function noteJudgeKeys(written: Written, { notes }: AssertionContext): void {
  for (const [key, { at }] of written.entries())
    if (!JUDGE_KEYS.includes(key)) notes.leftOut(at, `the setting ${quoteCode(key)} of a judge`, 'key')
}

/** Variables that a prompt may have. Any other one is literal, or an error when the suite is loaded. */
const PROMPT_VARIABLES =
  /^(?:question|criteria|answer|reference_answer|input_messages|expected_messages|output_messages|note|input|output|expected_output|candidate_answer|input_text|output_text|expected_output_text)$/

/** The text of the prompt of a judge, which is written in the suite or in a file. */
async function judgePrompt(written: Written, { files, notes }: AssertionContext): Promise<string | undefined> {
  const prompt = written.get('prompt')
  const text = prompt?.text()
  if (!prompt || text === undefined) return undefined
  const isFile = /^(?:file:\/\/|\.{1,2}\/)|^\S+\.(?:md|txt|j2|prompt)$/.test(text)
  if (/\.(?:[cm]?[jt]s|py)$/.test(text)) {
    notes.leftOut(prompt.at, 'a prompt that a program makes')
    return undefined
  }
  const read = isFile ? await files.parse(files.resolve(text, prompt.at.file)) : undefined
  if (read && 'problem' in read) {
    notes.leftOut(prompt.at, `the file of a prompt ${read.problem}`)
    return undefined
  }
  const content = read ? String(read.value) : text
  const unknown = [...content.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].filter(
    ([, name = '']) => !PROMPT_VARIABLES.test(name),
  )
  if (unknown.length > 0) notes.leftOut(prompt.at, 'variables in the prompt of a judge that Assay does not have')
  return content
    .replace(/\{%[\s\S]*?%\}/g, '')
    .replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => (PROMPT_VARIABLES.test(name) ? `{{${name}}}` : ''))
}

async function convertAgentJudge(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const judge = await convertJudge(written, context)
  const steps = written.get('max_steps')?.number()
  return judge && withoutNullish({ ...judge, type: 'agent_judge', max_steps: steps })
}

async function convertComposite(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const inside = written.get('assert', 'assertions', 'evaluators')?.items() ?? []
  const evaluators: Fields[] = []
  for (const each of inside) {
    const check = await agentvCheck(each, context)
    if (check) evaluators.push(check)
  }
  const aggregator = written.get('aggregator')?.value
  return evaluators.length === 0 ? undefined : withoutNullish({ type: 'composite', aggregator, evaluators })
}
