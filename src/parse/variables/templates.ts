import { relative } from 'node:path'
import { JUDGE_VARIABLES } from '../../evaluators/shared/model-judges/judge-prompt.ts'
import { isMapping } from '../../lib/objects.ts'
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

export type Fill = (value: unknown, at: SourceNode) => Filled

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
  readonly text: Fill = (value, at) => {
    if (typeof value !== 'string' || !hasTemplate(value)) return { value, at }
    const nth = counter()
    return { value: fillTemplates(value, name => this.#textOf(name, at, nth(name))), at }
  }

  /** Fills in the prompt of a judge, which has variables of its own. */
  readonly prompt: Fill = (value, at) => {
    if (typeof value !== 'string' || !hasTemplate(value)) return { value, at }
    const nth = counter()
    const filled = fillSomeTemplates(value, name => {
      const index = nth(name)
      if (!JUDGE_VARIABLES.includes(name)) return this.#textOf(name, at, index)
      if (this.#scope.find(name)) this.#reportAmbiguous(name, at, index)
      return undefined
    })
    return { value: filled, at }
  }

  /** Fills in every text of a value. A text that is one template becomes the value itself, of any type. */
  readonly value: Fill = (value, at) => {
    if (typeof value === 'string') return this.#whole(value) ?? this.text(value, at)
    if (Array.isArray(value)) return fillItems(value, at, this.value)
    return isMapping(value) ? fillKeys(value, at, () => this.value) : { value, at }
  }

  #whole(text: string): Variable | undefined {
    const name = soleTemplate(text)
    return name === undefined ? undefined : this.#scope.find(name)
  }

  #textOf(name: string, at: SourceNode, nth: number): string {
    const variable = this.#scope.find(name)
    if (variable) return textOf(variable)
    if (!this.#scope.is_broken) this.#reportMissing(name, at, nth)
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

function isFirst(key: string, seen: Set<string>): boolean {
  const { size } = seen
  return seen.add(key).size > size
}

/** Fills in the items of a list. */
export function fillItems(items: readonly unknown[], at: SourceNode, fill: Fill): Filled {
  return fillParts(
    items.entries(),
    at,
    () => fill,
    filled => items.map((item, index) => (filled.has(index) ? filled.get(index) : item)),
    items,
  )
}

/** Fills in the values of a mapping, each in its own way; those without one stay as they are. */
export function fillKeys(fields: Fields, at: SourceNode, fillOf: (key: string) => Fill | undefined): Filled {
  return fillParts(
    Object.entries(fields),
    at,
    fillOf as (key: string | number) => Fill | undefined,
    filled => ({ ...fields, ...Object.fromEntries(filled) }),
    fields,
  )
}

/** Returns the same value if no part of it has templates: tests share it. */
function fillParts<Step extends string | number>(
  parts: Iterable<readonly [Step, unknown]>,
  at: SourceNode,
  fillOf: (step: Step) => Fill | undefined,
  rebuilt: (filled: ReadonlyMap<Step, unknown>) => unknown,
  whole: unknown,
): Filled {
  const filled = new Map<Step, unknown>()
  const elsewhere: [Step, SourceNode][] = []
  for (const [step, part] of parts) {
    const fill = fillOf(step)
    if (!fill || !isTemplated(part)) continue
    const node = at.child(step)
    const { value, at: place } = fill(part, node)
    if (value !== part) filled.set(step, value)
    if (place !== node) elsewhere.push([step, place])
  }
  if (filled.size === 0) return { value: whole, at }
  return { value: rebuilt(filled), at: elsewhere.length > 0 ? at.with(Object.fromEntries(elsewhere)) : at }
}

/** Counts the templates of each name in a text, from 0. */
function counter(): (name: string) => number {
  const counts = new Map<string, number>()
  return name => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
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
