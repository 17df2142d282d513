import { withoutNullish } from '../../lib/objects.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext, ImportedTest } from '../format.ts'
import type { Written } from '../written.ts'
import { armNames, promptsNamed } from './arms.ts'
import { convertAssertions } from './assertions.ts'
import { type Affix, type Case, expandTests } from './cases.ts'
import { literal, VariableFiller } from './fill-variables.ts'
import type { Matrix } from './matrix.ts'
import type { Prompt } from './prompts.ts'
import { textsAt } from './providers.ts'
import { type SharedChecks, sharedChecks } from './shared-checks.ts'
import type { Vars } from './template.ts'
import { executionOf, metadataOf, noteTestKeys, TestIds, trialsOf } from './test-fields.ts'
import { transformsFor } from './transforms.ts'
import { planVariants, type Variants } from './variants.ts'

interface ConvertedTests {
  readonly variants: readonly Fields[]
  /** Checks of all tests. */
  readonly checks: readonly Fields[]
  readonly tests: readonly ImportedTest[]
  readonly has_variables: boolean
}

/** Converts the tests of a configuration: each with its variables, and several prompts as variants of the suite. */
export async function convertTests(matrix: Matrix, context: ImportContext): Promise<ConvertedTests> {
  const cases = await expandTests(matrix.tests, matrix.defaults, matrix.dialect, context)
  const variants = variantsOf(matrix, cases, context)
  const shared = await sharedChecks(matrix, cases, context)
  const parts = { ...matrix, shared, variants, ids: new TestIds() }
  const tests: ImportedTest[] = []
  let has_variables = variants !== undefined
  for (const each of cases) {
    const { fields, kept, counted } = await convertTest(each, parts, context)
    has_variables ||= kept
    const { written, table } = each.test
    tests.push(...fields.map(test => ({ fields: test, at: written.at, counted, table })))
  }
  return { variants: variants?.list ?? [], checks: shared?.checks ?? [], tests, has_variables }
}

/** Several prompts as variants; undefined, with a note, where they have to be written in each test. */
function variantsOf(
  { config, prompts, targets }: Matrix,
  cases: readonly Case[],
  { notes }: ImportContext,
): Variants | undefined {
  if (prompts.length < 2 || cases.length === 0) return undefined
  const [first] = cases
  const sameAffix = cases.every(({ affix }) => JSON.stringify(affix) === JSON.stringify(first?.affix))
  const isSelected = targets.length === 0 && cases.some(({ test }) => textsAt(test.written, 'prompts'))
  const affixed = prompts.map(prompt => withAffix(prompt, first?.affix))
  const variants = sameAffix && !isSelected ? planVariants(affixed, cases) : undefined
  if (variants) return variants
  const why = isSelected ? 'tests choose some of them, and there is no target' : 'they differ from test to test'
  const message = `several prompts that are not variants, since ${why}: each test is written once for each of them`
  notes.approximated(config.at.child('prompts'), message, 'key')
  return undefined
}

/** A prompt with the texts around it; messages stay as they are. */
function withAffix(prompt: Prompt, { prefix, suffix }: Affix = { prefix: '', suffix: '' }): Prompt {
  const { content } = prompt
  return typeof content === 'string' ? { ...prompt, content: `${prefix}${content}${suffix}` } : prompt
}

interface TestParts extends Matrix {
  readonly shared: SharedChecks | undefined
  readonly variants: Variants | undefined
  readonly ids: TestIds
}

interface ConvertedTest {
  readonly fields: Fields[]
  /** Whether it has variables. */
  readonly kept: boolean
  readonly counted?: ImportedTest['counted']
}

const NOTHING: ConvertedTest = { fields: [], kept: false }

async function convertTest(each: Case, parts: TestParts, context: ImportContext): Promise<ConvertedTest> {
  const { notes } = context
  const { dialect, shared, variants, lost_prompts } = parts
  const { written } = each.test
  const mark = notes.mark()
  noteTestKeys(written, dialect, context)
  const inputs = inputsOf(each, parts)
  if (inputs.length === 0) {
    const isUnasked = parts.prompts.length > 0 && parts.targets.length > 0
    const why = isUnasked
      ? 'a test that no prompt and provider asks'
      : 'a test that needs a prompt that could not be imported'
    notes.leaveTestOut(written.at, why)
    return NOTHING
  }
  const filler = new VariableFiller(
    each.vars,
    written.at,
    notes,
    file => dialect.filePath?.(file, written, context) ?? file,
  )
  const filled = variants
    ? [variants.fillIn(filler)]
    : inputs.map(({ prompt }) => filler.input(withAffix(prompt, each.affix).content))
  const graded = await gradingOf(each, parts, filler, context)
  if (filler.unsupported !== undefined) {
    notes.leaveTestOut(written.at, `a test that needs ${filler.unsupported}`)
    return NOTHING
  }
  const lost = notes.notes.slice(mark).filter(({ loss }) => loss === 'left out')
  const checks = gradedBy(graded.assertions, shared, { own: graded.count, lost: lost.length, written }, context)
  const kept = usedVars(filler.kept, [checks.list, shared?.checks, filled, variants?.list])
  const has_kept = Object.keys(kept).length > 0
  const fields = filled.map((input, index) =>
    withoutNullish({
      id: parts.ids.take(written, each.number, !variants && inputs.length > 1 ? inputs[index]?.prompt.name : undefined),
      description: literal(written.get('description')?.text()),
      vars: has_kept ? kept : undefined,
      input,
      ...dialect.testFields?.(written, each.vars, context),
      assert: checks.list.length === 0 ? undefined : checks.list,
      execution: executionOf({
        threshold: graded.threshold,
        is_scored: graded.is_scored && dialect.everyAssertionCounts,
        checks: [...graded.assertions, ...(shared?.checks ?? [])],
        skip: checks.skip,
        arms: inputs[index]?.arms,
        trials: trialsOf(written.get('options')),
      }),
      metadata: metadataOf(written),
      'x-not-imported': lost.length === 0 ? undefined : lost.map(({ message }) => literal(message)),
    }),
  )
  if (checks.skip === undefined) {
    const counted = notes.countTests(mark, fields.length, shared?.has_losses || lost_prompts)
    return { fields, kept: has_kept, counted }
  }
  for (const _ of fields)
    notes.leaveTestOut(written.at, 'a test of which no check could be imported: it is written as skipped')
  return { fields, kept: has_kept }
}

/** The variables that are named in texts: a check that was left out may have used others. */
function usedVars(vars: Vars, texts: unknown): Vars {
  const names = new Set([...JSON.stringify(texts).matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name))
  return Object.fromEntries(Object.entries(vars).filter(([name]) => names.has(name)))
}

/** A prompt of a test, and what is asked with it if that is not all of the suite. */
interface TestInput {
  readonly prompt: Prompt
  readonly arms: readonly string[] | undefined
}

/** The prompts of a test: as variants, all at once; else each that is asked, with its targets. */
function inputsOf({ test: { written } }: Case, { prompts, targets, variants }: TestParts): TestInput[] {
  const all = armNames({ targets, prompts, are_variants: variants !== undefined })
  const isSame = (names: readonly string[]) => names.join('\n') === all.join('\n')
  const own = (names: readonly string[]) => (isSame(names) ? undefined : names)
  if (variants) {
    const names = armNames({ targets, prompts, are_variants: true }, written)
    const [prompt] = prompts
    return prompt && (targets.length === 0 || names.length > 0) ? [{ prompt, arms: own(names) }] : []
  }
  return promptsNamed(prompts, textsAt(written, 'prompts')).flatMap(prompt => {
    const names = armNames({ targets, prompts: [prompt], are_variants: false }, written)
    return targets.length === 0 || names.length > 0 ? [{ prompt, arms: own(names) }] : []
  })
}

interface Grading {
  readonly assertions: readonly Fields[]
  /** How many assertions were written. */
  readonly count: number
  readonly threshold: number | undefined
  readonly is_scored: boolean
}

/** The checks of a test, but for those of the suite. */
async function gradingOf(
  { test: { written, assertions: own }, vars }: Case,
  { config, targets, dialect, defaults, shared, programs, graders }: TestParts,
  filler: VariableFiller,
  context: ImportContext,
): Promise<Grading> {
  const threshold = written.get('threshold')?.number() ?? defaults?.get('threshold')?.number()
  const is_scored = !dialect.everyAssertionCounts || threshold !== undefined
  const skipsDefaults = written.get('options')?.get('disableDefaultAsserts')?.value === true
  const list = [...own, ...(shared || skipsDefaults ? [] : (defaults?.get('assert')?.items() ?? []))]
  const assertions = await convertAssertions(list, {
    ...context,
    root: config,
    vars,
    fill: filler.fill,
    programs,
    graders,
    providers: [written, defaults].map(owner => owner?.get('options')?.get('provider')),
    transforms: transformsFor({ targets }, written, defaults),
    isScored: is_scored,
    convertOwn: dialect.assertion,
  })
  if (shared) filler.keep(shared.names)
  return { assertions, count: list.length, threshold, is_scored }
}

/** A check that passes with any answer: a test without assertions passes if there is an answer. */
const ANSWERED = { name: 'answered', type: 'regex', value: '^' }

/** The checks of a test. A test that has lost all of them is skipped, since it would pass with any answer. */
function gradedBy(
  checks: readonly Fields[],
  shared: SharedChecks | undefined,
  { own, lost, written }: { readonly own: number; readonly lost: number; readonly written: Written },
  { notes }: ImportContext,
): { readonly list: readonly Fields[]; readonly skip?: string } {
  const counts = [...checks, ...(shared?.checks ?? [])].some(({ weight }) => weight !== 0)
  if (counts) return { list: checks }
  if (own > 0 && lost > 0) return { list: [...checks, ANSWERED], skip: 'none of its checks could be imported' }
  notes.remark(written.at, 'a test without assertions: it passes with any answer, as in the source')
  return { list: [...checks, ANSWERED] }
}
