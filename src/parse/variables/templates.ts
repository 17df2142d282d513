import { relative } from 'node:path'
import { JUDGE_VARIABLES } from '../../evaluators/shared/model-judges/judge-prompt.ts'
import { isMapping, withFields } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { fillSomeTemplates, fillTemplates, findTemplates, hasTemplate, soleTemplate } from '../../lib/text/template.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { type Scope, textOf, type Variable } from './scope.ts'

/** A value with variables filled in, and its node. */
export interface Filled {
  readonly value: unknown
  readonly at: SourceNode
}

export type Fill = (value: unknown, at: SourceNode, templates: Templates) => Filled

/** Fills in the templates of one test, and reports those without a value. */
export class Templates {
  readonly #scope: Scope
  readonly #diagnostics: Diagnostics
  readonly #cwd: string

  constructor(scope: Scope, diagnostics: Diagnostics, cwd: string) {
    this.#scope = scope
    this.#diagnostics = diagnostics
    this.#cwd = cwd
  }

  /** Fills in a text. What is not a text stays as it is. */
  text(value: unknown, at: SourceNode): Filled {
    if (typeof value !== 'string' || !hasTemplate(value)) return { value, at }
    const missing = new Counter()
    return { value: fillTemplates(value, name => this.#textOf(name, at, missing)), at }
  }

  /** Fills in the prompt of a judge, which has variables of its own. */
  prompt(value: unknown, at: SourceNode): Filled {
    if (typeof value !== 'string' || !hasTemplate(value)) return { value, at }
    const reported = new Counter()
    const filled = fillSomeTemplates(value, name => {
      if (!JUDGE_VARIABLES.includes(name)) return this.#textOf(name, at, reported)
      if (this.#scope.find(name)) this.#reportAmbiguous(name, at, reported.next(name))
      return undefined
    })
    return { value: filled, at }
  }

  /** Fills in every text of a value. A text that is one template becomes the value itself, of any type. */
  value(value: unknown, at: SourceNode): Filled {
    if (typeof value === 'string') return this.#whole(value) ?? this.text(value, at)
    if (Array.isArray(value)) return fillItems(value, at, fillValue, this)
    return isMapping(value) ? fillKeys(value, at, () => fillValue, this) : { value, at }
  }

  #whole(text: string): Variable | undefined {
    const name = soleTemplate(text)
    return name === undefined ? undefined : this.#scope.find(name)
  }

  #textOf(name: string, at: SourceNode, missing: Counter): string {
    const variable = this.#scope.find(name)
    if (variable) return textOf(variable)
    if (!this.#scope.is_broken) this.#reportMissing(name, at, missing.next(name))
    return `{{${name}}}`
  }

  #reportMissing(name: string, at: SourceNode, nth: number): void {
    const { row, variants_of } = this.#scope
    const location = locate(name, at, nth)
    if (variants_of && !isFirst(`${location.line}:${location.column}`, variants_of.reported)) return
    const names = this.#scope.names()
    const literal = `write ${quoteCode(`\\{{${name}}}`)} for the text itself`
    if (variants_of && name === 'input') {
      const message = `the test ${quoteCode(variants_of.test)} has no \`input\``
      this.#diagnostics.add({
        code: 'missing-variable',
        at: location,
        message,
        hint: `add it to the test, or ${literal}`,
      })
      return
    }
    const hint = JUDGE_VARIABLES.includes(name)
      ? `it is filled in only in the \`prompt\` of a judge; ${literal}`
      : didYouMean(name, names, `${names.length > 0 ? 'add it to' : 'define it in'} \`vars\`, or ${literal}`)
    const isElsewhere = row !== undefined && names.includes(name)
    const message = isElsewhere
      ? `the row at ${this.#placeOf(row.at)} has no ${quoteCode(name)}`
      : `${variants_of ? `the test ${quoteCode(variants_of.test)} has ` : ''}no variable named ${quoteCode(name)}`
    this.#diagnostics.add({
      code: 'missing-variable',
      at: location,
      message,
      hint: isElsewhere ? `add it to the row, or to \`vars\` as a default` : hint,
    })
  }

  #reportAmbiguous(name: string, at: SourceNode, nth: number): void {
    const message = `${quoteCode(`{{${name}}}`)} is a variable of judges, and this test has a variable of that name`
    const hint = 'rename the variable of the test'
    this.#diagnostics.add({ code: 'ambiguous-variable', at: locate(name, at, nth), message, hint })
  }

  #placeOf(at: SourceNode): string {
    return `${relative(this.#cwd, at.file)}:${at.line()}`
  }
}

export const fillText: Fill = (value, at, templates) => templates.text(value, at)
export const fillPrompt: Fill = (value, at, templates) => templates.prompt(value, at)
export const fillValue: Fill = (value, at, templates) => templates.value(value, at)

function isFirst(key: string, seen: Set<string>): boolean {
  const { size } = seen
  return seen.add(key).size > size
}

/** Fills in the items of a list. Returns the same list if none has templates: tests share it. */
export function fillItems(items: readonly unknown[], at: SourceNode, fill: Fill, templates: Templates): Filled {
  const parts = new FilledParts(at)
  let copy: unknown[] | undefined
  for (const [index, item] of items.entries()) {
    const value = parts.fill(index, item, fill, templates)
    if (Object.is(value, item)) continue
    copy ??= items.slice()
    copy[index] = value
  }
  return copy ? { value: copy, at: parts.at } : { value: items, at }
}

/** Fills in the values of a mapping, each in its own way; those without one stay as they are. */
export function fillKeys(
  fields: Fields,
  at: SourceNode,
  fillOf: (key: string) => Fill | undefined,
  templates: Templates,
): Filled {
  const parts = new FilledParts(at)
  let copy: Fields | undefined
  for (const key of Object.keys(fields)) {
    const value = parts.fill(key, fields[key], fillOf(key), templates)
    if (Object.is(value, fields[key])) continue
    copy ??= copyOf(fields)
    copy[key] = value
  }
  return copy ? { value: copy, at: parts.at } : { value: fields, at }
}

/** Copies a mapping. There are many: see `withFields`, which would lose a key named `__proto__`. */
function copyOf(fields: Fields): Fields {
  return Object.hasOwn(fields, '__proto__') ? { ...fields } : withFields(fields, {})
}

/** The parts of a list or mapping, some of which come from elsewhere. */
class FilledParts {
  readonly #at: SourceNode
  #elsewhere: Record<string | number, SourceNode> | undefined

  constructor(at: SourceNode) {
    this.#at = at
  }

  fill(step: string | number, part: unknown, fill: Fill | undefined, templates: Templates): unknown {
    if (!fill || !isTemplated(part)) return part
    const node = this.#at.child(step)
    const { value, at } = fill(part, node, templates)
    if (at !== node) {
      this.#elsewhere ??= {}
      if (step === '__proto__') Object.defineProperty(this.#elsewhere, step, { value: at, enumerable: true })
      else this.#elsewhere[step] = at
    }
    return value
  }

  get at(): SourceNode {
    return this.#elsewhere ? this.#at.with(this.#elsewhere) : this.#at
  }
}

/** Counts the reported templates of each name in a text, from 0: all of a name are reported, or none. */
class Counter {
  #counts: Map<string, number> | undefined

  next(name: string): number {
    this.#counts ??= new Map()
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    return count
  }
}

function locate(name: string, at: SourceNode, nth: number) {
  return at.partLocation(written => findTemplates(written, name)[nth])
}

/** Values as written, which all rows of a test share: whether they contain a template. */
const TEMPLATED = new WeakMap<object, boolean>()

/** Whether a value contains a text with a template. */
function isTemplated(value: unknown): boolean {
  if (typeof value === 'string') return hasTemplate(value)
  if (typeof value !== 'object' || value === null) return false
  let found = TEMPLATED.get(value)
  if (found === undefined) {
    found = Object.values(value).some(isTemplated)
    TEMPLATED.set(value, found)
  }
  return found
}
