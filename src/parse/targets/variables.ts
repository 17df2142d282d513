import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { foldersUpTo } from '../../model/repository-root.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { addSecret, isSecret } from './secrets.ts'

/** Looks up a variable: in the environment, then in `.env` files, nearest first. */
export type Variables = (name: string) => string | undefined

/** Finds the variables for `${{ NAME }}` of a suite in a folder. */
export async function findVariables(folder: string, files: Files): Promise<Variables> {
  const { env } = files.host
  const root = await files.root(folder)
  const found: Record<string, string | undefined>[] = []
  for (const home of foldersUpTo(root, folder)) {
    const path = join(home, '.env')
    if ((await files.stat(path))?.kind !== 'file') continue
    const source = await files.read(path)
    if (source) found.push(parseEnv(source.text) as Record<string, string>)
  }
  // Inherited properties such as `constructor` are not variables.
  return name => [env, ...found].find(each => Object.hasOwn(each, name) && each[name] !== undefined)?.[name]
}

const VARIABLE = /\$\{\{\s*([^{}]*?)\s*\}\}/g

/** Replaces the variables in a text. */
export function fillText(text: string, fill: (name: string) => string): string {
  return text.replace(VARIABLE, (_, name) => fill(name))
}

/** Fills in the variables of a value; reports those that are not set. */
export function fillVariables(
  value: unknown,
  at: SourceNode,
  context: VariableContext,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return fillText(value, name => fillVariable(name, at, context, path))
  if (Array.isArray(value)) return value.map((item, index) => fillVariables(item, at.child(index), context, path))
  if (!isMapping(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, fillVariables(part, at.child(key), context, [...path, key])]),
  )
}

export interface VariableContext {
  readonly variables: Variables
  readonly secrets: Map<string, string>
  readonly diagnostics: Diagnostics
}

function fillVariable(name: string, at: SourceNode, context: VariableContext, path: readonly string[]): string {
  const value = context.variables(name)
  if (value === undefined) {
    const message = `the variable ${quoteCode(name)} is not set`
    const hint = 'set it in the environment, or in a `.env` file beside the suite or above it'
    context.diagnostics.add({ code: 'missing-variable', at, message, hint })
    return ''
  }
  if (isSecret(value, [name, ...path])) addSecret(context.secrets, value, name)
  return value
}
