import { basename, dirname, extname } from 'node:path'
import { isMapping, withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext, ImportedSuite, ImportedTest } from '../format.ts'
import type { AssertionContext } from '../matrix/assertion-context.ts'
import { GraderTargets } from '../matrix/graders.ts'
import { Programs } from '../matrix/programs.ts'
import { convertChat, looksLikeChat } from '../messages.ts'
import type { Written } from '../written.ts'
import { agentvCheck, rebased } from './checks.ts'
import { namedTargets } from './targets.ts'

/** Converts a suite of AgentV with tests that have an `input`, as it was written until spring 2026. */
export async function convertInputs(config: Written, context: ImportContext): Promise<ImportedSuite> {
  noteKeys(config, SUITE_KEYS, 'the key', context)
  const programs = new Programs()
  const graders = new GraderTargets([])
  const checks: AssertionContext = {
    ...context,
    root: config,
    programs,
    graders,
    providers: [],
    transforms: [],
    vars: {},
    fill: text => text,
    isScored: true,
    convertOwn: agentvCheck,
  }
  const execution = config.get('execution')
  const shared = await convertChecks(config, checks)
  const tests: ImportedTest[] = []
  for (const test of await listTests(config.get('tests', 'eval_cases', 'evalcases'), context)) {
    const converted = await convertTest(test, config, shared.length > 0, checks)
    if (converted) tests.push({ ...converted, at: test.at })
  }
  const names = targetNames(config)
  const targets = await namedTargets(names, config.at.file, context)
  const suite = withoutNullish({
    name: suiteNameOf(config.get('name', 'dataset')?.text() ?? stemOf(config.at.file), 'imported'),
    description: config.get('description')?.text()?.slice(0, 2000),
    metadata: metadataOf(config),
    execution: executionOf(execution, names, context),
    assert: shared.length === 0 ? undefined : shared,
  })
  return { suite, tests, targets: [...targets, ...graders.targets], programs: programs.files }
}

const SUITE_KEYS = [
  ...[
    'name',
    'dataset',
    'description',
    'version',
    'tags',
    'author',
    'license',
    'metadata',
    'execution',
    'target',
    'targets',
  ],
  ...[
    'input',
    'tests',
    'eval_cases',
    'evalcases',
    'assert',
    'assertions',
    'evaluators',
    'evaluator',
    '$schema',
    'threshold',
  ],
]

function stemOf(file: string): string {
  const stem = basename(file, extname(file)).replace(/\.eval$/i, '')
  return /^(?:eval|evals|suite|dataset|cases)$/i.test(stem) ? basename(dirname(dirname(file))) : stem
}

function noteKeys(written: Written, known: readonly string[], what: string, { notes }: ImportContext): void {
  for (const [key, { at }] of written.entries())
    if (!known.includes(key) && !key.startsWith('x-')) notes.leftOut(at, `${what} ${quoteCode(key)}`, 'key')
}

function metadataOf(config: Written): Fields | undefined {
  const metadata = config.get('metadata')
  const tags = config
    .get('tags')
    ?.list()
    .flatMap(item => item.text() ?? [])
  const fields = { ...(metadata?.isMapping() ? (metadata.value as Fields) : {}), ...(tags ? { tags } : {}) }
  return Object.keys(fields).length === 0 ? undefined : fields
}

function targetNames(config: Written): readonly Written[] {
  const execution = config.get('execution')
  const written = execution?.get('targets', 'target') ?? config.get('targets', 'target')
  return written?.list() ?? []
}

const EXECUTION_KEYS = [
  'target',
  'targets',
  'trials',
  'timeout_seconds',
  'assert',
  'assertions',
  'evaluators',
  'skip_defaults',
  'threshold',
  'budget_usd',
  'total_budget_usd',
]

function executionOf(
  execution: Written | undefined,
  names: readonly Written[],
  context: ImportContext,
): Fields | undefined {
  if (execution) noteKeys(execution, EXECUTION_KEYS, 'the setting', context)
  const trials = execution?.get('trials')
  const count = trials?.isMapping() ? trials.get('count')?.number() : trials?.number()
  const budget = trials?.get('cost_limit_usd')?.number() ?? execution?.get('budget_usd', 'total_budget_usd')?.number()
  if (trials?.get('strategy'))
    context.notes.approximated(
      trials.at.child('strategy'),
      'a strategy of trials: reports have pass@k and pass^k of every test',
      'key',
    )
  const texts = names.flatMap(name => name.text() ?? [])
  const fields = withoutNullish({
    target: texts.length === 1 ? texts[0] : undefined,
    targets: texts.length > 1 ? texts : undefined,
    trials: count !== undefined && Number.isInteger(count) && count >= 1 && count <= 100 ? count : undefined,
    timeout_seconds: execution?.get('timeout_seconds')?.number(),
    threshold: execution?.get('threshold')?.number(),
    budget_usd: budget,
  })
  return Object.keys(fields).length === 0 ? undefined : fields
}

const CHECK_KEYS = ['assert', 'assertions', 'evaluators'] as const

/** The checks of a suite or test: its own, those of `execution`, and the judge that `evaluator` names. */
async function convertChecks(written: Written, context: AssertionContext): Promise<Fields[]> {
  const lists = [written, written.get('execution')].flatMap(owner => CHECK_KEYS.map(key => owner?.get(key)))
  const checks: Fields[] = []
  for (const each of lists.flatMap(list => list?.items() ?? [])) {
    const check = await agentvCheck(each, context)
    if (check) checks.push(check)
  }
  const judge = written.get('evaluator')?.text()?.replaceAll('-', '_')
  if (judge === 'llm_judge' || judge === 'llm_grader') checks.push({ type: 'llm_judge' })
  return checks
}

/** Tests that are written inline, or in files that the suite names. */
async function listTests(tests: Written | undefined, { files, notes }: ImportContext): Promise<Written[]> {
  const found: Written[] = []
  for (const item of tests?.list() ?? []) {
    if (typeof item.value !== 'string') {
      found.push(item)
      continue
    }
    for (const path of await files.matches(item.value, item.at.file)) {
      const parsed = await files.parse(path)
      if ('problem' in parsed) notes.leaveTestOut(item.at, `the file of the tests ${parsed.problem}`)
      else found.push(...(parsed.get('tests') ?? parsed).list())
    }
  }
  return found
}

const TEST_KEYS = [
  ...[
    'id',
    'criteria',
    'expected_outcome',
    'outcome',
    'input',
    'input_messages',
    'expected_output',
    'expected_messages',
  ],
  ...['reference_answer', 'input_files', 'assert', 'assertions', 'evaluators', 'evaluator', 'rubrics', 'execution'],
  ...['conversation_id', 'description', 'note', 'metadata', 'tags'],
]

async function convertTest(
  written: Written,
  suite: Written,
  hasShared: boolean,
  context: AssertionContext,
): Promise<Omit<ImportedTest, 'at'> | undefined> {
  const { notes } = context
  const mark = notes.mark()
  const id = written.get('id')?.text()
  const skips = written.get('execution')?.get('skip_defaults')?.value === true
  const input = convertInput(written.get('input', 'input_messages'), skips ? undefined : suite.get('input'), context)
  if (id === undefined || input === undefined) {
    notes.leaveTestOut(written.at, id === undefined ? 'a test without an id' : 'a test whose input Assay cannot have')
    return undefined
  }
  noteKeys(written, TEST_KEYS, 'the key', context)
  const checks = await convertChecks(written, context)
  const criteria = written.get('criteria', 'expected_outcome', 'outcome')?.text()
  const rubrics = written.get('rubrics')?.value
  const isGraded = checks.length > 0 || criteria !== undefined || rubrics !== undefined || (hasShared && !skips)
  const lost = notes.notes
    .slice(mark)
    .filter(({ loss }) => loss === 'left out')
    .map(({ message }) => message)
  if (!isGraded) {
    notes.leaveTestOut(written.at, 'a test of which no check could be imported')
    return undefined
  }
  const counted = notes.countTests(mark)
  const files = written
    .get('input_files')
    ?.list()
    .flatMap(item => item.text() ?? [])
  const fields = withoutNullish({
    id,
    description: written.get('description')?.text(),
    criteria,
    input,
    input_files:
      files && typeof input === 'string' ? files.map(file => rebasedFile(file, written, context)) : undefined,
    expected_output: convertExpected(written, context),
    rubrics,
    assert: checks.length === 0 ? undefined : checks,
    execution: testExecution(written, context),
    conversation_id: written.get('conversation_id')?.text(),
    note: written.get('note')?.text(),
    metadata: metadataOf(written),
    'x-not-imported': lost.length === 0 ? undefined : lost,
  })
  return { fields, counted }
}

function testExecution(written: Written, context: ImportContext): Fields | undefined {
  const execution = written.get('execution')
  const names = execution?.get('targets', 'target')?.list() ?? []
  const fields = executionOf(execution, names, context)
  const skips = execution?.get('skip_defaults')?.value === true
  return skips ? { ...fields, skip_defaults: true } : fields
}

/** The messages of a suite come before those of each test. */
function convertInput(input: Written | undefined, before: Written | undefined, context: ImportContext): unknown {
  const own = input && messagesOf(input, context)
  const first = before && messagesOf(before, context)
  if (own === undefined || (before && first === undefined)) return undefined
  if (!first) return own
  return [...asMessages(first), ...asMessages(own)]
}

function asMessages(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input : [{ role: 'user', content: input }]
}

function messagesOf(input: Written, context: ImportContext): string | Fields[] | undefined {
  const text = input.text()
  if (text !== undefined) return text
  if (input.isMapping()) return [{ role: 'user', content: [{ type: 'json', value: input.value }] }]
  if (!looksLikeChat(input.value)) return undefined
  return convertChat(input.value, file => rebasedFile(file, input, context))
}

function convertExpected(written: Written, context: ImportContext): unknown {
  const expected = written.get('expected_output', 'expected_messages') ?? written.get('reference_answer')
  if (!expected) return undefined
  return looksLikeChat(expected.value)
    ? (convertChat(expected.value, file => rebasedFile(file, expected, context)) ?? expected.value)
    : expected.value
}

/** A file of a message, from the new place of the suite. */
export function rebasedFile(file: string, written: Written, context: ImportContext): string {
  if (file.startsWith('/')) return file
  return rebased(/^\.{1,2}\//.test(file) ? file : `./${file}`, written, context)
}

/** Whether a value is a suite in which tests have an `input`. */
export function hasInputs(value: unknown): boolean {
  if (!isMapping(value)) return false
  const tests = value['tests'] ?? value['eval_cases'] ?? value['evalcases']
  if (typeof tests === 'string') return !('prompts' in value)
  return (
    Array.isArray(tests) &&
    tests.some(test => typeof test === 'string' || (isMapping(test) && ('input' in test || 'input_messages' in test)))
  )
}
