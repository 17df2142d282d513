import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import { ancestors } from '../model/repository-root.ts'
import type { Files } from './files.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

/** Variables by name: the environment's, then those of `.env` files, nearest first. */
export type Variables = (name: string) => string | undefined

/** What `${{ NAME }}` can mean for a suite in a folder. */
export async function findVariables(folder: string, files: Files): Promise<Variables> {
  const { env } = files.host
  const root = await files.root(folder)
  const above = ancestors(folder)
  const found: Record<string, string | undefined>[] = []
  for (const home of above.slice(0, Math.max(1, above.indexOf(root) + 1))) {
    const path = join(home, '.env')
    if ((await files.stat(path))?.kind !== 'file') continue
    const source = await files.read(path)
    if (source) found.push(parseEnv(source.text) as Record<string, string>)
  }
  return name => env[name] ?? found.find(file => Object.hasOwn(file, name))?.[name]
}

const VARIABLE = /\$\{\{\s*([^{}]*?)\s*\}\}/g

/** A value of a targets file with its variables filled in; each that is not set is a mistake. */
export function withVariables(
  value: unknown,
  at: SourceNode,
  context: VariableContext,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return value.replace(VARIABLE, (_, name) => filledIn(name, at, context, path))
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
  if (isSecret(name, path) && value.length >= SHORTEST_SECRET) context.secrets.set(value, name)
  return value
}

/** Anything shorter would be found in ordinary words. */
const SHORTEST_SECRET = 6

const SECRET_FIELDS = ['api_key', 'headers', 'env']
const SECRET_NAME = /key|token|secret|password|auth/i

function isSecret(name: string, path: readonly string[]): boolean {
  return SECRET_FIELDS.includes(path[0] ?? '') || [name, ...path].some(word => SECRET_NAME.test(word))
}

/** Secrets that are written out where a variable should stand: those of fields whose name says so. */
export function writtenSecrets(target: Readonly<Record<string, unknown>>, secrets: Map<string, string>): void {
  const places = [{ api_key: target['api_key'] }, target['headers'], target['env']]
  for (const [name, value] of places.flatMap(fields => (isMapping(fields) ? Object.entries(fields) : []))) {
    const isWritten = typeof value === 'string' && value.length >= SHORTEST_SECRET && !value.includes('${{')
    if (isWritten && SECRET_NAME.test(name)) secrets.set(value, name)
  }
}
