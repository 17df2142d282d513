import { parseJson } from '../../lib/json/parse-json.ts'
import type { Origin } from '../../model/location.ts'
import type { ImportNotes } from '../import-notes.ts'
import { mapStrings } from '../map-strings.ts'
import { convertChat, looksLikeChat } from '../messages.ts'
import type { PromptContent, PromptMessage } from './prompts.ts'
import { isTemplate, render, simpleNames, soleName, type Vars } from './template.ts'

/** Fills in the variables of one test, or keeps them where the suite can fill them in when it is loaded. */
export class VariableFiller {
  readonly vars: Vars
  readonly #at: Origin
  readonly #notes: ImportNotes
  readonly #filePath: (file: string) => string
  readonly #kept = new Map<string, unknown>()
  readonly #never = new Set<string>()
  /** What keeps the test from being imported. */
  unsupported: string | undefined

  constructor(vars: Vars, at: Origin, notes: ImportNotes, filePath: (file: string) => string) {
    this.vars = vars
    this.#filePath = filePath
    this.#at = at
    this.#notes = notes
  }

  /** The variables that stay in texts, with their values. */
  get kept(): Vars {
    return Object.fromEntries(this.#kept)
  }

  /** Marks variables as used by a text that all tests share. An absent value is an empty text. */
  keep(names: readonly string[]): void {
    for (const name of names) {
      if (isAbsent(this.vars[name])) this.#noteMissing()
      this.#kept.set(name, this.vars[name] ?? '')
    }
  }

  /** Adds a variable with a text that is filled in already. */
  set(name: string, text: string): void {
    this.#kept.set(name, text)
  }

  /** Never keeps a variable: its name means something else in the suite. */
  neverKeep(name: string): void {
    this.#never.add(name)
  }

  fill = (text: string): string => {
    const names = keptNames(text, this.vars)
    if (!names || names.some(name => this.#never.has(name))) return literal(this.render(text))
    this.keep(names)
    return names.length === 0 ? literal(text) : text
  }

  /** Fills in a text, whatever it contains. */
  render = (text: string): string => {
    if (!isTemplate(text)) return text
    const rendered = render(text, this.vars)
    if ('unsupported' in rendered) {
      this.unsupported ??= 'statements or filters of a template'
      return ''
    }
    if (rendered.missing.length > 0) this.#noteMissing()
    if (rendered.mappings > 0) this.#notes.approximated(this.#at, 'a mapping inside of a text is written as JSON')
    return rendered.text
  }

  #noteMissing(): void {
    this.#notes.remark(this.#at, 'a variable without a value is an empty text, as in the source')
  }

  /** The input of a test: a text or messages. */
  input(content: PromptContent): unknown {
    if (isMessages(content)) return this.#chat(content)
    if (typeof content !== 'string') return literal(this.text(content))
    const chat = chatOf(content, this.vars)
    return chat ? this.#chat(literal(chat)) : this.fill(content)
  }

  /** The text of a prompt that is no chat. In JSON, the values of variables are escaped. */
  text(content: string | { readonly json: unknown }): string {
    if (typeof content === 'string') return this.render(content)
    return JSON.stringify(mapStrings(content.json, this.render), null, 2)
  }

  #chat(messages: readonly PromptMessage[]): unknown {
    const chat = convertChat(messages, this.#filePath)
    if (!chat) this.unsupported ??= 'content of messages that tests cannot have'
    return mapStrings(chat, text => (text.includes(LITERAL) ? text : this.fill(text)))
  }
}

/** The variables of a text that the suite fills in as the source does; undefined if it does not. */
export function keptNames(text: string, vars: Vars): string[] | undefined {
  const names = isTemplate(text) ? simpleNames(text) : []
  return names?.every(name => isAbsent(vars[name]) || isScalar(vars[name])) ? names : undefined
}

export function isMessages(content: PromptContent): content is readonly PromptMessage[] {
  return Array.isArray(content)
}

/** The chat that a template becomes: the value of a variable, or JSON. */
export function chatOf(content: string, vars: Vars): readonly PromptMessage[] | undefined {
  const name = soleName(content)
  const value = name === undefined ? undefined : vars[name]
  if (looksLikeChat(value)) return value
  if (!isTemplate(content) || !/^\s*[[{]/.test(content)) return undefined
  const rendered = render(content, vars)
  const made = 'text' in rendered ? parseJson(rendered.text) : undefined
  return looksLikeChat(made) ? made : undefined
}

/** Whether a value can stay a variable: a text, a number or a boolean. */
export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** Marks a `{{` that is not a variable, until it is known whether the suite has variables. */
const LITERAL = '\u0001'

/** A value in whose texts `{{` is not a variable. */
export function literal<Value>(value: Value): Value {
  return mapStrings(value, escaped) as Value
}

function escaped(text: string): string {
  return text.replace(/\{\{(?=[^{}]*\}\})/g, `${LITERAL}{{`)
}

/** Writes literal `{{` as the suite has to: with a backslash where it has variables. */
export function withLiterals<Value>(value: Value, hasVariables: boolean): Value {
  return mapStrings(value, text => text.replaceAll(`${LITERAL}{{`, hasVariables ? '\\{{' : '{{')) as Value
}
