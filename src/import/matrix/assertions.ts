import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../fields.ts'
import { followReference } from '../follow-reference.ts'
import type { Written } from '../written.ts'
import type { Assertion, AssertionContext, ConvertAssertion, ConvertedCheck } from './assertion-context.ts'
import { MODEL_ASSERTIONS } from './model-assertions.ts'
import { fileAssertion, languageOf, PROGRAM_ASSERTIONS } from './program-assertions.ts'
import { TEXT_ASSERTIONS } from './text-assertions.ts'
import { TOOL_ASSERTIONS } from './tool-assertions.ts'
import { transformedCheck } from './transforms.ts'

const ASSERTIONS: Readonly<Record<string, ConvertAssertion>> = {
  ...TEXT_ASSERTIONS,
  ...PROGRAM_ASSERTIONS,
  ...MODEL_ASSERTIONS,
  ...TOOL_ASSERTIONS,
}

/** The checks of a list of assertions; those without an equivalent are noted and left out. */
export async function convertAssertions(list: readonly Written[], context: AssertionContext): Promise<Fields[]> {
  const checks: Fields[] = []
  for (const each of list) {
    const written = followReference(each, context.root, context.notes)
    const check = written && (await (context.convertOwn ?? convertAssertion)(written, context))
    if (check) checks.push(check)
  }
  return uniquelyNamed(checks)
}

/** The lowest score at which a test passes whose checks pass: below 0.8 where one of them passes below it. */
export function lowestMark(checks: readonly Fields[]): number {
  const marks = checks.map(({ required }) => (typeof required === 'number' ? required : 1))
  return Math.min(1, ...marks)
}

/** Converts an assertion as promptfoo writes it; notes one without an equivalent. */
export async function convertAssertion(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const { notes } = context
  const type = written.get('type')?.text()
  if (type === undefined) {
    notes.leftOut(written.at, 'an assertion without a `type`')
    return undefined
  }
  if (type === 'assert-set') return convertSet(written, context)
  const isNegated = type.startsWith('not-')
  const base = isNegated ? type.slice('not-'.length) : type
  const assertion = await readAssertion(base, written, context)
  const converted = assertion && (ASSERTIONS[base] ?? (() => undefined))(assertion, context)
  const plain = converted ?? (assertion && fromFile(assertion, context))
  const check = transformedCheck(plain, written.get('transform'), context)
  if (check?.type === undefined || !context.hasType(check.type)) {
    if (assertion) notes.leftOut(written.at, `the assertion ${quoteCode(type)}, ${whyNot(base, check)}`)
    return undefined
  }
  if (written.get('contextTransform'))
    notes.leftOut(written.at.child('contextTransform'), '`contextTransform` of an assertion', 'key')
  return finish(check, isNegated, written, context)
}

function whyNot(type: string, check: ConvertedCheck): string {
  if (check?.type === undefined && check?.problem !== undefined) return check.problem
  return Object.hasOwn(ASSERTIONS, type) && !check
    ? 'without a value that Assay understands'
    : 'which Assay does not have'
}

/** An assertion of any other type may have a program as its value, which gives the value. */
function fromFile(assertion: Assertion, context: AssertionContext) {
  return Object.hasOwn(ASSERTIONS, assertion.type) ? undefined : fileAssertion(assertion, context)
}

/** Reads what assertions have in common; undefined, with a note, where the file of the value cannot be read. */
async function readAssertion(
  type: string,
  written: Written,
  { files, notes }: AssertionContext,
): Promise<Assertion | undefined> {
  const given = written.get('value')
  const isProgram = typeof given?.value === 'string' && languageOf(given.value) !== undefined
  const value = given && !isProgram ? await files.content(given, notes) : given
  if (given && !value) return undefined
  return { type, written, value, threshold: written.get('threshold')?.number() }
}

/** A check that passes with a score of 0 must reach a score, however low. */
const LOWEST_MARK = 0.001

/** Adds what all checks share. Where no threshold of the test decides, each check must reach its mark. */
function finish(
  { mark, ...check }: Fields & { readonly mark?: unknown },
  negate: boolean,
  written: Written,
  { isScored }: AssertionContext,
): Fields {
  const weight = written.get('weight')?.number()
  const counts = weight !== 0
  const lowest = typeof mark === 'number' && !negate ? Math.min(1, Math.max(LOWEST_MARK, mark)) : true
  const required = isScored || !counts ? undefined : lowest
  return withoutNullish({
    name: written.get('metric')?.text(),
    ...check,
    weight,
    required,
    negate: negate || undefined,
  })
}

/** A set passes if its score reaches its threshold; without one, if each assertion in it passes. */
async function convertSet(written: Written, context: AssertionContext): Promise<Fields | undefined> {
  const { notes, isScored } = context
  const threshold = written.get('threshold')?.number()
  const inside = { ...context, isScored: isScored || threshold !== undefined }
  const evaluators = await convertAssertions(written.get('assert')?.items() ?? [], inside)
  if (evaluators.length === 0 || evaluators.every(({ weight }) => weight === 0)) {
    notes.leftOut(written.at, 'an `assert-set` of which nothing counts')
    return undefined
  }
  const mark = threshold === undefined ? lowestMark(evaluators) : threshold
  return finish({ type: 'composite', evaluators, mark }, false, written, context)
}

/** Of two checks with one name, the second gets a number. */
function uniquelyNamed(checks: readonly Fields[]): Fields[] {
  const taken = new Map<unknown, number>()
  return checks.map(check => {
    if (check['name'] === undefined) return check
    const count = (taken.get(check['name']) ?? 0) + 1
    taken.set(check['name'], count)
    return count === 1 ? check : { ...check, name: `${check['name']}-${count}` }
  })
}
