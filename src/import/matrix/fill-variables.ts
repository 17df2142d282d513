import { parseJson } from '../../lib/json/parse-json.ts'
import type { Origin } from '../../model/location.ts'
import type { ImportNotes } from '../import-notes.ts'
import { mapStrings } from '../map-strings.ts'
import { convertChat, looksLikeChat } from '../messages.ts'
import type { Prompt, PromptMessage } from './prompts.ts'
import { isTemplate, render, simpleNames, soleName, type Vars } from './template.ts'

/** Fills in the variables of one test, or keeps them where the suite can fill them in when it is loaded. */
export class VariableFiller {
  readonly vars: Vars
  readonly #at: Origin
  readonly #notes: ImportNotes
  readonly #filePath: (file: string) => string
  readonly #used = new Set<string>()
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
    return Object.fromEntries([...this.#used].map(name => [name, this.vars[name]]))
  }

  /** Marks variables as used by a text that all tests share. */
  keep(names: readonly string[]): void {
    for (const name of names) this.#used.add(name)
  }

  fill = (text: string): string => {
    if (!isTemplate(text)) return escaped(text)
    const names = simpleNames(text)
    if (names?.every(name => isScalar(this.vars[name]))) {
      this.keep(names)
      return text
    }
    const rendered = render(text, this.vars)
    if ('unsupported' in rendered) {
      this.unsupported ??= 'statements or filters of a template'
      return ''
    }
    if (rendered.missing.length > 0)
      this.#notes.approximated(this.#at, 'a variable without a value is an empty text, as in the source')
    return escaped(rendered.text)
  }

  /** The input of a test: a text or messages. */
  input({ content }: Prompt): unknown {
    if (typeof content !== 'string') return this.#chat(content)
    const name = soleName(content)
    const value = name === undefined ? undefined : this.vars[name]
    if (looksLikeChat(value)) return this.#chat(literal(value))
    const filled = this.fill(content)
    // A template that makes JSON of a chat is one only after it was filled in.
    const made = filled === content ? undefined : parseJson(filled)
    return looksLikeChat(made) ? this.#chat(made) : filled
  }

  #chat(messages: readonly PromptMessage[]): unknown {
    const chat = convertChat(messages, this.#filePath)
    if (!chat) this.unsupported ??= 'content of messages that tests cannot have'
    return mapStrings(chat, text => (text.includes(LITERAL) ? text : this.fill(text)))
  }
}

/** Whether a value can stay a variable: a text, a number or a boolean. */
export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
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
