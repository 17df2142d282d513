import { canonicalType, spellingsOf } from '../../evaluators/lookup.ts'
import { sentenceRubric } from '../../evaluators/shared/model-judges/rubric.ts'
import { lazily } from '../../lib/lazily.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import * as z from '../../lib/zod.ts'
import type { Check } from '../../model/check.ts'
import type { Evaluator } from '../../model/evaluator.ts'
import { CUSTOM_TYPE, checkSchema, customCheckSchema } from '../../spec/check.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import { keepVerbatim, reportLongIntegers } from '../shape/written-scalars.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { buildCheck, type CommonFields } from './build-check.ts'
import { assignUniqueNames, type CheckList, findCheckList, reportSameNames } from './check-list.ts'
import { loadCustomJudge } from './custom-judge.ts'
import type { SuiteContext } from './load-context.ts'
import { verbatimKeys } from './recent-checks.ts'

/** Loads the checks of a suite or test: its list, then the list in its `execution`. */
export function loadListedChecks(fields: Fields, at: SourceNode, context: SuiteContext): readonly Check[] {
  const own = loadChecks(findCheckList(fields, at, context.diagnostics), context)
  if (!isMapping(fields['execution'])) return own
  const list = findCheckList(fields['execution'], at.child('execution'), context.diagnostics)
  return [...own, ...loadChecks(list, context)]
}

/** Loads a list of checks. All string entries together form one check of rubrics, at the location of the first. */
function loadChecks(list: CheckList, context: SuiteContext): readonly Check[] {
  const { entries, at } = list
  const sentences = entries.filter(entry => typeof entry === 'string')
  const blank = sentences.some(sentence => sentence.trim() === '')
  let first = true
  const checks: Check[] = []
  for (const [index, entry] of entries.entries()) {
    const isSentence = typeof entry === 'string'
    if (isSentence && blank) checkShape(sentenceRubric(), entry, at.child(index), context.diagnostics)
    if (isSentence && (blank || !first)) continue
    if (isSentence) first = false
    const check = loadCheck(isSentence ? { type: 'rubrics', rubrics: sentences } : entry, at.child(index), context)
    if (check) checks.push(check)
  }
  reportSameNames(list, context.diagnostics)
  return assignUniqueNames(checks)
}

/** Loads a check with its evaluator. Returns undefined only after reporting an error. */
export function loadCheck(entry: unknown, at: SourceNode, context: SuiteContext): Check | undefined {
  if (isMapping(entry) && entry['type'] === undefined) {
    const hint = 'name the type of the check, such as `contains` or `llm_judge`'
    context.diagnostics.add({ code: 'missing-key', at, message: '`type` is missing', hint })
    return undefined
  }
  if (!isMapping(entry) || typeof entry['type'] !== 'string') {
    checkShape(anyCheck(), entry, at, context.diagnostics)
    return undefined
  }
  return context.recent.find(entry, at, context, () => loadTyped(entry['type'] as string, entry, at, context))
}

function loadTyped(written: string, entry: Fields, at: SourceNode, context: SuiteContext): Check | undefined {
  const type = canonicalType(written)
  const evaluator = context.lookup.get(type)
  const file = context.judges.get(type)
  if (evaluator && !(file !== undefined && evaluator.yields_to_files)) return loadBuiltIn(evaluator, entry, at, context)
  if (file !== undefined) return loadCustomJudge(type, file, entry, at, context)
  reportUnknownType(written, entry, at, context)
  return undefined
}

const anyCheck = lazily(() => z.looseObject({ type: z.string() }))

function loadBuiltIn(evaluator: Evaluator, entry: Fields, at: SourceNode, context: SuiteContext): Check | undefined {
  const { fields, node, whole } = loadNestedChecks(evaluator, entry, at, context)
  const supported = dropUnsupported(fields, evaluator, node, context)
  const verbatim = keepVerbatim(supported, verbatimKeys(evaluator, supported), node)
  // Nested checks are checked separately.
  const own = evaluator.contains_checks ? { ...verbatim, evaluators: undefined } : verbatim
  reportLongIntegers(own, node, context.diagnostics)
  const parsed = checkShape(schemaOf(evaluator), verbatim, node, context.diagnostics)
  if (!parsed || !whole) return undefined
  const { type, name, weight, required, negate, applies_to, description, ...config } = parsed as CommonFields & Fields
  if (config.config !== undefined && !usesConfig(evaluator)) {
    const message = `checks of type \`${evaluator.type}\` do not use \`config\``
    context.diagnostics.add({
      code: 'unused-config',
      at: node.child('config'),
      part: 'key',
      message,
      hint: 'remove it, or write its fields beside `type`',
    })
    delete config.config
  }
  return buildCheck(
    { evaluator, type: evaluator.type, config },
    { name, weight, required, negate, applies_to, description },
    node,
    context,
  )
}

const NONE: Readonly<Record<string, string>> = {}

/** Removes fields that the type does not support, and reports them. */
function dropUnsupported(fields: Fields, evaluator: Evaluator, node: SourceNode, context: SuiteContext): Fields {
  const unsupported = Object.entries(evaluator.keys?.unsupported ?? NONE).filter(([key]) => Object.hasOwn(fields, key))
  if (unsupported.length === 0) return fields
  const supported = { ...fields }
  for (const [key, hint] of unsupported) {
    const message = `${quoteCode(key)} is not supported in checks of type \`${evaluator.type}\``
    context.diagnostics.add({ code: 'foreign-key', at: node.child(key), part: 'key', message, hint })
    delete supported[key]
  }
  return supported
}

/** Replaces nested checks with loaded ones. `whole`: all of them are valid. */
function loadNestedChecks(evaluator: Evaluator, entry: Fields, at: SourceNode, context: SuiteContext) {
  if (!evaluator.contains_checks) return { fields: entry, node: at, whole: true }
  const list = findCheckList(entry, at, context.diagnostics)
  const { assert, assertions, evaluators, ...fields } = entry
  const node = at.renaming({ evaluators: list.key })
  const before = context.diagnostics.errors
  const children = loadChecks(list, context)
  const whole = context.diagnostics.errors === before
  // Invalid entries stay as written, so that the list is not reported as empty too.
  const written = whole && list.entries.length > 0 ? children : entry[list.key]
  return { fields: { ...fields, evaluators: written }, node, whole }
}

function usesConfig(evaluator: Evaluator): boolean {
  return 'config' in evaluator.config().shape
}

const SCHEMAS = new WeakMap<Evaluator, z.ZodObject>()

function schemaOf(evaluator: Evaluator): z.ZodObject {
  const schema = SCHEMAS.get(evaluator) ?? checkSchema(evaluator)
  SCHEMAS.set(evaluator, schema)
  return schema
}

function reportUnknownType(
  type: string,
  entry: Fields,
  at: SourceNode,
  { lookup, judges, diagnostics }: SuiteContext,
): void {
  const known = [...new Set(lookup.values())].flatMap(spellingsOf)
  const types = [...new Set(lookup.values())].map(evaluator => evaluator.type).join(', ')
  const others = `the types are ${types}; a custom judge is a file in \`.assay/judges\`, named after its type`
  const hint = /^not[_-]/.test(type)
    ? 'add `negate: true` to the check that should not pass'
    : didYouMean(type, [...known, ...judges.keys()], others)
  const [code, message] = CUSTOM_TYPE.test(type)
    ? (['unknown-type', `unknown check type ${quoteCode(type)}`] as const)
    : ([
        'bad-format',
        `${quoteCode(type)} is not a valid type name: use lowercase letters, digits, \`_\` and \`-\``,
      ] as const)
  diagnostics.add({ code, at: at.child('type'), message, hint })
  checkShape(customCheckSchema(), { ...entry, type: 'unknown' }, at, diagnostics)
}
