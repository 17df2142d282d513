import { withoutNullish } from '../../lib/objects.ts'
import { slug } from '../../lib/paths.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { ImportContext, ImportedTest } from '../format.ts'
import type { Written } from '../written.ts'
import type { Fields } from './assertion-context.ts'
import { convertAssertions, lowestMark } from './assertions.ts'
import type { MatrixDialect } from './dialect.ts'
import { isScalar, literal, VariableFiller } from './fill-variables.ts'
import { expandLists, isListOfValues, type MatrixTest, merged, readVars } from './matrix-tests.ts'
import type { Programs } from './programs.ts'
import type { Prompt } from './prompts.ts'
import { simpleNames, type Vars } from './template.ts'

/** A configuration that was read, and what its suite needs. */
interface Matrix {
  readonly config: Written
  readonly defaults: Written | undefined
  readonly prompts: readonly Prompt[]
  readonly tests: readonly MatrixTest[]
  readonly programs: Programs
  readonly dialect: MatrixDialect
}

interface ConvertedTests {
  /** Checks of all tests. */
  readonly checks: readonly Fields[]
  readonly tests: readonly ImportedTest[]
  readonly hasVariables: boolean
}

/** Converts the tests of a configuration: each with its variables, once for each prompt. */
export async function convertTests(matrix: Matrix, context: ImportContext): Promise<ConvertedTests> {
  const cases = await expandTests(matrix, context)
  const shared = await sharedChecks(matrix, cases, context)
  const ids = new TestIds()
  const tests: ImportedTest[] = []
  let hasVariables = false
  for (const each of cases) {
    const { fields, kept, counted } = await convertTest(each, { ...matrix, shared, ids }, context)
    hasVariables ||= kept
    tests.push(...fields.map(test => ({ fields: test, at: each.test.written.at, counted })))
  }
  return { checks: shared?.checks ?? [], tests, hasVariables }
}

/** A test with one value for each variable. */
interface Case {
  readonly test: MatrixTest
  readonly vars: Vars
  readonly number: number
}

async function expandTests({ tests, defaults, dialect }: Matrix, context: ImportContext): Promise<Case[]> {
  const shared = await readVars(defaults?.get('vars'), context)
  return tests.flatMap((test, index) => {
    const isFixed = test.written.get('options')?.get('disableVarExpansion')?.value === true
    const isList = dialect.expandsLists && !isFixed ? isListOfValues : () => false
    return expandLists(merged(shared, test.vars), isList).map(vars => ({
      test,
      number: index + 1,
      vars: Object.fromEntries(vars.map(([name, { value }]) => [name, value])),
    }))
  })
}

interface Shared {
  readonly checks: readonly Fields[]
  /** Variables in the texts of the checks. */
  readonly names: readonly string[]
  readonly hasLosses: boolean
}

/** The assertions of all tests as checks of the suite; undefined if they have to be checks of each test. */
async function sharedChecks(
  { defaults, dialect, programs }: Matrix,
  cases: readonly Case[],
  context: ImportContext,
): Promise<Shared | undefined> {
  const assertions = defaults?.get('assert')?.items() ?? []
  if (assertions.length === 0) return undefined
  const text = JSON.stringify(assertions.map(({ value }) => value))
  const names = simpleNames(text)
  const isSame = names?.every(name => cases.every(({ vars }) => isScalar(vars[name])))
  const differs = cases.some(
    ({ test }) => test.written.get('threshold') || test.written.get('options')?.get('disableDefaultAsserts'),
  )
  if (!isSame || differs || /\bvars\b|file:\/\//.test(text)) return undefined
  const before = context.notes.mark()
  const isScored = !dialect.everyAssertionCounts || defaults?.get('threshold') !== undefined
  const filler = { vars: {}, fill: (value: string) => value }
  const checks = await convertAssertions(assertions, {
    ...context,
    ...filler,
    programs,
    isScored,
    convertOwn: dialect.assertion,
  })
  return checks.length === 0 ? undefined : { checks, names: names ?? [], hasLosses: context.notes.mark() > before }
}

function hasAffix(written: Written): boolean {
  const options = written.get('options')
  return Boolean(options?.get('prefix')?.text() || options?.get('suffix')?.text())
}

interface TestParts extends Matrix {
  readonly shared: Shared | undefined
  readonly ids: TestIds
}

async function convertTest(
  { test, vars, number }: Case,
  parts: TestParts,
  context: ImportContext,
): Promise<{ fields: Fields[]; kept: boolean; counted?: ImportedTest['counted'] }> {
  const { notes } = context
  const { dialect, defaults, prompts, shared, programs, ids } = parts
  const { written } = test
  const mark = notes.mark()
  noteTestKeys(written, dialect, context)
  const filler = new VariableFiller(vars, written.at, notes, file => dialect.filePath?.(file, written, context) ?? file)
  const threshold = written.get('threshold')?.number() ?? defaults?.get('threshold')?.number()
  const isScored = !dialect.everyAssertionCounts || threshold !== undefined
  const skipsDefaults = written.get('options')?.get('disableDefaultAsserts')?.value === true
  const own = [...test.assertions, ...(shared || skipsDefaults ? [] : (defaults?.get('assert')?.items() ?? []))]
  const assertions = await convertAssertions(own, {
    ...context,
    vars,
    fill: filler.fill,
    programs,
    isScored,
    convertOwn: dialect.assertion,
  })
  if (shared) filler.keep(shared.names)
  const inputs = promptsFor(written, prompts)
  const filled = inputs.map(prompt => withAffix(filler.input(prompt), written, filler))
  if (filler.unsupported !== undefined || inputs.length === 0) {
    const why = inputs.length === 0 ? 'a prompt that could not be imported' : filler.unsupported
    notes.leaveTestOut(written.at, `a test that needs ${why}`)
    return { fields: [], kept: false }
  }
  const lost = notes.notes.slice(mark).filter(({ loss }) => loss === 'left out')
  const checks = gradedBy(assertions, shared, { own: own.length, lost: lost.length, written }, context)
  const { kept } = filler
  const hasKept = Object.keys(kept).length > 0
  const fields = filled.map((input, index) =>
    withoutNullish({
      id: ids.take(idOf(written), number, inputs.length > 1 ? inputs[index]?.name : undefined),
      description: literal(written.get('description')?.text()),
      vars: hasKept ? literal(kept) : undefined,
      input,
      ...dialect.testFields?.(written, vars, context),
      assert: checks.list.length === 0 ? undefined : checks.list,
      execution: executionOf(
        threshold,
        [...assertions, ...(shared?.checks ?? [])],
        isScored && dialect.everyAssertionCounts,
        checks.skip,
      ),
      metadata: metadataOf(written),
      'x-not-imported': lost.length === 0 ? undefined : lost.map(({ message }) => literal(message)),
    }),
  )
  if (checks.skip === undefined) {
    const counted = notes.countTests(shared?.hasLosses ? -1 : mark, fields.length)
    return { fields, kept: hasKept, counted }
  }
  for (const _ of fields)
    notes.leaveTestOut(written.at, 'a test of which no check could be imported: it is written as skipped')
  return { fields, kept: hasKept }
}

/** The prompts of a test: those that it names, or all. */
function promptsFor(written: Written, prompts: readonly Prompt[]): readonly Prompt[] {
  const names = written
    .get('prompts')
    ?.list()
    .flatMap(item => item.text() ?? [])
  return names ? prompts.filter(({ name }) => names.some(wanted => slug(wanted, 40) === name)) : prompts
}

function withAffix(input: unknown, written: Written, { fill }: VariableFiller): unknown {
  const options = written.get('options')
  if (typeof input !== 'string' || !hasAffix(written)) return input
  return `${fill(options?.get('prefix')?.text() ?? '')}${input}${fill(options?.get('suffix')?.text() ?? '')}`
}

/** A check that passes with any answer: a test without assertions passes if there is an answer. */
const ANSWERED = { name: 'answered', type: 'regex', value: '^' }

/** The checks of a test. A test that has lost all of them is skipped, since it would pass with any answer. */
function gradedBy(
  checks: readonly Fields[],
  shared: Shared | undefined,
  { own, lost, written }: { readonly own: number; readonly lost: number; readonly written: Written },
  { notes }: ImportContext,
): { readonly list: readonly Fields[]; readonly skip?: string } {
  const counts = [...checks, ...(shared?.checks ?? [])].some(({ weight }) => weight !== 0)
  if (counts) return { list: checks }
  if (own > 0 && lost > 0) return { list: [...checks, ANSWERED], skip: 'none of its checks could be imported' }
  notes.approximated(written.at, 'a test without assertions: it passes with any answer')
  return { list: [...checks, ANSWERED] }
}

function executionOf(
  threshold: number | undefined,
  checks: readonly Fields[],
  isScored: boolean,
  skip: string | undefined,
) {
  const lowest = lowestMark(checks)
  const mark = isScored ? Math.min(1, Math.max(0.001, threshold ?? 0.001)) : lowest < 0.8 ? lowest : undefined
  const fields = withoutNullish({ threshold: mark, skip })
  return Object.keys(fields).length === 0 ? undefined : fields
}

function metadataOf(written: Written): Fields | undefined {
  const metadata = written.get('metadata')
  if (!metadata?.isMapping()) return undefined
  const { tags, ...others } = metadata.value as Fields
  const list = Array.isArray(tags) ? tags : tags === undefined ? undefined : [tags]
  return literal(withoutNullish({ tags: list?.map(String), ...others }))
}

function noteTestKeys(written: Written, { knownTestKeys }: MatrixDialect, { notes }: ImportContext): void {
  const place = (key: string) => written.at.child(key)
  for (const [key] of written.entries())
    if (!knownTestKeys.includes(key)) notes.leftOut(place(key), `the key ${quoteCode(key)} of a test`, 'key')
  for (const [key, value] of written.get('options')?.entries() ?? [])
    if (!KNOWN_OPTIONS.includes(key) && value.value !== undefined)
      notes.leftOut(value.at, `the option ${quoteCode(key)} of a test`, 'key')
}

const KNOWN_OPTIONS = ['prefix', 'suffix', 'disableVarExpansion', 'disableDefaultAsserts']

const LONGEST_ID = 60

function idOf(written: Written): string {
  const id = written.get('id')?.text()
  return id ?? slug(written.get('description')?.text() ?? '', LONGEST_ID)
}

/** Gives tests ids that differ: their own or their description, or their number. */
class TestIds {
  readonly #taken = new Set<string>()

  take(wanted: string, number: number, prompt: string | undefined): string {
    const base = wanted === '' ? `test-${number}` : wanted
    const name = prompt === undefined ? base : `${base}-${prompt}`
    let id = name
    for (let next = 2; this.#taken.has(id); next++) id = `${name}-${next}`
    this.#taken.add(id)
    return id
  }
}
