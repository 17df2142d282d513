import { lazily } from '../../lib/lazily.ts'
import { deepFreeze, isMapping } from '../../lib/objects.ts'
import * as z from '../../lib/zod.ts'
import type { Check } from '../../model/check.ts'
import type { Message } from '../../model/message.ts'
import type { Mocks } from '../../model/mock.ts'
import type { Test } from '../../model/test.ts'
import { CHECK_LIST_KEYS } from '../../spec/check.ts'
import { FOREIGN_TEST_KEYS } from '../../spec/foreign-keys.ts'
import { inputSchema, testSchema } from '../../spec/test.ts'
import { checkShape } from '../shape/check-shape.ts'
import { type Fields, type NormalizedKeys, normalizeKeys } from '../shape/normalize-keys.ts'
import { keepVerbatim, reportLongIntegers } from '../shape/written-scalars.ts'
import { expandTest } from '../variables/expand-test.ts'
import type { TestVariables } from '../variables/suite-variables.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { reportDuplicateRubrics } from './check-issues.ts'
import { assignUniqueNames } from './check-list.ts'
import { executionOf, reportExecution } from './execution.ts'
import { loadCheck, loadListedChecks } from './load-checks.ts'
import type { SuiteContext } from './load-context.ts'
import { loadExpected } from './load-expected.ts'
import { dropBadInputFiles, loadInput, readableInput } from './load-input.ts'
import type { SuiteVariants } from './load-variants.ts'
import type { RawTest } from './raw-suite.ts'

// Rubrics and mocks are checked when they are loaded.
const loadedLater = lazily(() => ({ rubrics: z.any(), mocks: z.any() }))
const writtenTest = lazily(() => testSchema(z.any(), { ...loadedLater(), input: inputSchema() }))
/** A test of a suite with variants may have no input. */
const variantTest = lazily(() => testSchema(z.any(), { ...loadedLater(), input: inputSchema().optional() }))
const testKeys = lazily(() => ({ known: new Set(Object.keys(writtenTest().shape)), foreign: FOREIGN_TEST_KEYS }))

const NO_METADATA: { tags?: string[] } = Object.freeze({})

/** What a test inherits from its suite. */
export interface Defaults {
  /** The checks of the suite, with the variables of the test. */
  inherit(variables: TestVariables | undefined): InheritedChecks
  readonly mocks: Mocks | undefined
  readonly variants: SuiteVariants | undefined
  readonly tags: readonly string[]
  /** Whether tests should have `criteria`. */
  readonly needsCriteria: boolean
  /** Keys of another format that grade a test, for a hint. */
  readonly gradedBy: string | undefined
}

export interface InheritedChecks {
  readonly checks: readonly Check[]
  /** Whether one of them has errors. */
  readonly broken: boolean
}

const NO_CHECKS: InheritedChecks = { checks: [], broken: false }

/** Loads a test with every shorthand expanded. Returns undefined if its shape is invalid. */
export function loadTest(
  { raw, at: written }: RawTest,
  variables: TestVariables | undefined,
  defaults: Defaults,
  context: SuiteContext,
): Test | undefined {
  const { diagnostics } = context
  if (!isMapping(raw)) {
    checkShape(writtenTest(), raw, written, diagnostics)
    return undefined
  }
  const known = expandKeys(normalizeKeys(raw, written, testKeys(), diagnostics), variables, context)
  const { at } = known
  const waiting = context.pending.length
  const before = diagnostics.errors
  const own = loadOwnChecks(known.fields, at, context)
  const isBroken = diagnostics.errors > before
  const fields = dropBadInputFiles(keepIdVerbatim(known.fields, at), at, {
    needsInput: !defaults.variants,
    diagnostics,
  })
  reportExecution(fields, at, context)
  if (at.hasLongDigits()) {
    for (const key of ['input', 'expected_output', 'metadata'])
      reportLongIntegers(fields[key], at.child(key), diagnostics)
  }

  const schema = defaults.variants ? variantTest() : writtenTest()
  const shape = checkShape(schema, fields, at, diagnostics, known.suggested)
  const { input, variants, data } = loadInputs({ fields, at, input: shape?.input }, variables, defaults, context)
  const inherited = shape?.execution?.skip_defaults ? NO_CHECKS : defaults.inherit(variables)
  const expected_output = loadExpected(fields, at, { own, inherited: inherited.checks }, context)
  if (!shape || !input) return undefined

  const { criteria, description, conversation_id, note, metadata = NO_METADATA } = shape
  const checks = gradingChecks(assignUniqueNames([...own, ...inherited.checks]), criteria, at, context)
  reportDuplicateRubrics(checks, diagnostics)
  if (!isBroken && !inherited.broken) reportGrading(checks, criteria, defaults, known, context)
  const { id, number } = testId(shape.id, known.fields, variables)
  // Written out: with a spread, Node 20 would make a hidden class for each of what may be 100,000 tests.
  const test = {
    id,
    number,
    criteria,
    input,
    variants,
    data,
    expected_output,
    checks,
    mocks: defaults.mocks,
    execution: executionOf(shape.execution),
    description,
    conversation_id,
    note,
    metadata,
    tags: metadata.tags ? [...new Set([...defaults.tags, ...metadata.tags])] : defaults.tags,
    at,
  }
  if (fields['mocks'] !== undefined) context.pending.push(addMocks(test, fields['mocks'], at.child('mocks'), context))
  // Here rather than with its suite: what was just made is faster to reach. What waits for files is frozen with the suite.
  return context.pending.length === waiting ? deepFreeze(test) : test
}

/** Adds the mocks of a test to those of its suite. */
async function addMocks(
  test: { mocks: Mocks | undefined },
  written: unknown,
  at: SourceNode,
  context: SuiteContext,
): Promise<void> {
  const { loadMocks, mergeMocks } = await import('../mocks/load-mocks.ts')
  test.mocks = mergeMocks(test.mocks, await loadMocks(written, at, context))
}

/** Loads the input of a test: its own, or that of each variant, of which the first one represents it. */
function loadInputs(
  {
    fields,
    at,
    input,
  }: { readonly fields: Fields; readonly at: SourceNode; readonly input: Test['input'] | string | undefined },
  variables: TestVariables | undefined,
  { variants }: Defaults,
  context: SuiteContext,
): { readonly input?: Test['input'] | undefined } & Pick<Test, 'variants' | 'data'> {
  if (variants && variables) {
    const { id } = testId(String(fields['id']), fields, variables)
    const inputs = variants.inputsOf({ fields, at, id }, variables, context)
    return { input: inputs?.variants[0]?.input, ...inputs }
  }
  const nodes = { input: at.child('input'), files: at.child('input_files') }
  const readable = (input as string | Message[] | undefined) ?? readableInput(fields['input'])
  return { input: loadInput(readable, fields['input_files'], nodes, context) }
}

/** Fills in variables, in a suite that uses them. A test of a row has no rows: they are known to be valid. */
function expandKeys(
  known: NormalizedKeys,
  variables: TestVariables | undefined,
  { lookup }: SuiteContext,
): NormalizedKeys {
  if (!variables) return known
  const written = variables.row_id === undefined ? known.fields : withoutRows(known.fields)
  const { fields, at } = expandTest(written, known.at, variables.templates, lookup)
  return { fields, at, suggested: known.suggested }
}

/** Tests as written, which all of their rows share, without the rows. */
const WITHOUT_ROWS = new WeakMap<Fields, Fields>()

function withoutRows(fields: Fields): Fields {
  const known = WITHOUT_ROWS.get(fields)
  if (known) return known
  const { rows, ...others } = fields
  WITHOUT_ROWS.set(fields, others)
  return others
}

/** The id of a test; that of a row begins with it. */
function testId(
  id: string | number,
  { id: written }: Fields,
  { row_id }: Partial<TestVariables> = {},
): Pick<Test, 'id' | 'number'> {
  if (row_id !== undefined) return { id: `${id}-${row_id}`, number: undefined }
  return { id: String(id), number: typeof written === 'number' ? written : undefined }
}

/** Loads the own checks of a test: its lists, then its rubrics as one check. */
function loadOwnChecks(fields: Fields, at: SourceNode, context: SuiteContext): readonly Check[] {
  const checks = loadListedChecks(fields, at, context)
  if (fields['rubrics'] === undefined) return checks
  const rubrics = loadCheck(
    { name: 'rubrics', type: 'rubrics', rubrics: fields['rubrics'] },
    at.child('rubrics').wrapped('rubrics'),
    context,
  )
  return rubrics ? [...checks, rubrics] : checks
}

/** Returns the checks of a test, or its criteria as a check if it has none. */
function gradingChecks(
  checks: readonly Check[],
  criteria: string | undefined,
  at: SourceNode,
  context: SuiteContext,
): readonly Check[] {
  if (checks.length > 0 || criteria === undefined) return checks
  const check = loadCheck(
    { name: 'criteria', type: 'rubrics', criteria },
    at.child('criteria').wrapped('criteria'),
    context,
  )
  return check ? [check] : []
}

/** Reports tests that cannot be graded or that lack `criteria`. */
function reportGrading(
  checks: readonly Check[],
  criteria: string | undefined,
  { needsCriteria, gradedBy }: Defaults,
  { at, suggested }: NormalizedKeys,
  { diagnostics, isConversion }: SuiteContext,
): void {
  const isGraded = checks.length > 0
  if (isGraded && checks.every(({ weight }) => weight === 0))
    diagnostics.add({
      code: 'zero-weights',
      at,
      message: 'all checks of this test have weight 0',
      hint: 'give at least one check a weight above 0',
    })
  if (criteria !== undefined || suggested.has('criteria')) return
  if (isGraded && needsCriteria)
    diagnostics.add({
      code: 'no-criteria',
      at,
      message: 'this test has no `criteria`',
      hint: 'describe a good answer in `criteria`',
    })
  if (isGraded || GRADING_KEYS.some(key => suggested.has(key))) return
  const severity = gradedBy !== undefined || isConversion ? 'warning' : undefined
  const hint = `add ${gradedBy ?? '`criteria`, `rubrics` or `assert`'}`
  diagnostics.add({ code: 'nothing-grades', severity, at, message: 'nothing can grade this test', hint })
}

const GRADING_KEYS = [...CHECK_LIST_KEYS, 'rubrics']

function keepIdVerbatim(fields: Fields, at: SourceNode): Fields {
  return typeof fields['id'] === 'number' ? keepVerbatim(fields, ['id'], at) : fields
}
