import type { Fields } from '../fields.ts'
import type { Written } from '../written.ts'
import type { AssertionContext, ConvertedCheck } from './assertion-context.ts'
import { literal } from './fill-variables.ts'
import type { Matrix } from './matrix.ts'
import { javascriptCheck, languageOf, programFile } from './program-assertions.ts'
import { type Language, runnerCommand } from './programs.ts'

/** A program that changes the output before it is checked: code, or a function in a file. */
interface Transform {
  readonly language: Language
  readonly step: Fields
}

/** The transforms of the output of a test: that of the targets, then that of the first owner that has one. */
export function transformsFor(
  { targets }: Pick<Matrix, 'targets'>,
  ...owners: readonly (Written | undefined)[]
): readonly Written[] {
  const options = owners.flatMap(owner => owner?.get('options') ?? [])
  const [ofTest] = options.flatMap(option => option.get('transform') ?? option.get('postprocess') ?? [])
  return [targets[0]?.transform, ofTest].flatMap(each => each ?? [])
}

/**
 * A check of the transformed output: a program that transforms it first. A problem for a check that is not a program and
 * cannot be written as one.
 */
export function transformedCheck(
  check: ConvertedCheck,
  own: Written | undefined,
  context: AssertionContext,
): ConvertedCheck {
  const written = [...context.transforms, ...(own ? [own] : [])]
  if (check?.type === undefined || written.length === 0 || LOOKS_AT_FIGURES.has(check.type)) return check
  const transforms = written.flatMap(each => readTransform(each, context) ?? [])
  const [first] = transforms
  if (!first || transforms.length < written.length)
    return { problem: 'whose `transform` is not code or a file of the project' }
  if (transforms.some(({ language }) => language !== first.language))
    return { problem: 'with a `transform` in two languages' }
  const steps = transforms.map(({ step }) => step)
  const program = programOf(check, first.language, context)
  if (!program)
    return { problem: 'with a `transform`: only checks of texts, and programs in the same language, can have one' }
  const usesVars = steps.some(step => 'file' in step || /\bvars\b/.test(String(step['code'])))
  const vars = usesVars && Object.keys(context.vars).length > 0 ? { vars: literal(context.vars) } : {}
  return { ...program, config: { ...(program['config'] as Fields), ...vars, transforms: steps } }
}

function readTransform(written: Written, context: AssertionContext): Transform | undefined {
  const text = written.value
  if (typeof text !== 'string' || text.trim() === '') return undefined
  if (!text.startsWith('file://')) return { language: 'javascript', step: { code: context.fill(text) } }
  const language = languageOf(text)
  const step = language && programFile(text, written.at, context)
  return step && { language, step }
}

/** The check as a program of a language; undefined if it is not one, and is not written as one. */
function programOf(
  check: Fields & { readonly type: string },
  language: Language,
  context: AssertionContext,
): (Fields & { readonly type: string }) | undefined {
  const [, runner] = runnerCommand(language)
  if (Array.isArray(check['script'])) return check['script'][1] === runner ? check : undefined
  const expression = language === 'javascript' ? EXPRESSIONS[check.type] : undefined
  const { type: _, value, ...others } = check
  if (expression === undefined || Object.keys(others).length > 0) return undefined
  const code = `((text, value) => ${expression})(typeof output === 'string' ? output : JSON.stringify(output), context.config?.value)`
  const converted = javascriptCheck({ code, ...(value === undefined ? {} : { settings: { value } }) }, context)
  return converted?.type === undefined ? undefined : converted
}

/** Types of checks that a changed text does not matter for. */
const LOOKS_AT_FIGURES: ReadonlySet<string> = new Set(['cost', 'latency'])

/** Checks of texts as JavaScript, by type. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  equals: 'text === value',
  contains: 'text.includes(value)',
  icontains: 'text.toLowerCase().includes(value.toLowerCase())',
  starts_with: 'text.startsWith(value)',
  ends_with: 'text.endsWith(value)',
  contains_any: 'value.some(each => text.includes(each))',
  contains_all: 'value.every(each => text.includes(each))',
  icontains_any: 'value.some(each => text.toLowerCase().includes(each.toLowerCase()))',
  icontains_all: 'value.every(each => text.toLowerCase().includes(each.toLowerCase()))',
  regex: 'new RegExp(value).test(text)',
  is_json: '{ try { return [JSON.parse(text)].length === 1 } catch { return false } }',
}
