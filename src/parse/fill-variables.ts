import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import type { Variables } from './find-variables.ts'
import type { Mistakes } from './mistakes.ts'
import { addSecret, isSecret } from './secrets.ts'
import type { SourceNode } from './source-node.ts'

const VARIABLE = /\$\{\{\s*([^{}]*?)\s*\}\}/g

/** A text with its variables filled in. */
export function filledText(text: string, fill: (name: string) => string): string {
  return text.replace(VARIABLE, (_, name) => fill(name))
}

/** A value of a targets file with its variables filled in; each that is not set is a mistake. */
export function withVariables(
  value: unknown,
  at: SourceNode,
  context: VariableContext,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return filledText(value, name => filledIn(name, at, context, path))
  if (Array.isArray(value)) return value.map((item, index) => withVariables(item, at.child(index), context, path))
  if (!isMapping(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withVariables(part, at.child(key), context, [...path, key])]),
  )
}

export interface VariableContext {
  readonly variables: Variables
  readonly secrets: Map<string, string>
  readonly mistakes: Mistakes
}

function filledIn(name: string, at: SourceNode, context: VariableContext, path: readonly string[]): string {
  const value = context.variables(name)
  if (value === undefined) {
    const message = `the variable ${shown(name)} is not set`
    const hint = 'set it in the environment, or in a file `.env` beside the suite or above it'
    context.mistakes.add({ code: 'missing-variable', at, message, hint })
    return ''
  }
  if (isSecret(value, [name, ...path])) addSecret(context.secrets, value, name)
  return value
}
