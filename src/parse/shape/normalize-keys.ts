import { quoteCode } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import type { ForeignKey } from '../../spec/foreign-keys.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'

export interface Keys {
  readonly known: ReadonlySet<string>
  readonly foreign: ReadonlyMap<string, ForeignKey>
}

export type Fields = Record<string, unknown>

export interface NormalizedKeys {
  readonly fields: Fields
  readonly at: SourceNode
  /** Keys that misspelt keys resemble. They are not reported as missing again. */
  readonly suggested: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** Normalizes the keys of a suite or test: renames keys of other formats or reports them, and drops `x-…` keys. */
export function normalizeKeys(raw: Fields, at: SourceNode, keys: Keys, diagnostics: Diagnostics): NormalizedKeys {
  const names = Object.keys(raw)
  if (names.every(name => keys.known.has(name))) return { fields: raw, at, suggested: NONE }
  const fields: Fields = {}
  const renamed: Record<string, string> = {}
  const suggested = new Set<string>()
  for (const name of names) {
    const foreign = keys.foreign.get(name)
    if (keys.known.has(name)) fields[name] = raw[name]
    else if (foreign?.kind === 'renamed' && isFree(foreign.to, raw, renamed)) {
      fields[foreign.to] = raw[name]
      renamed[foreign.to] = name
      diagnostics.add(renamedKeyDiagnostic(name, foreign.to, at))
    } else if (foreign) {
      diagnostics.add(foreignKeyDiagnostic(name, foreign, at, raw[name]))
      if (foreign.kind === 'refused' && foreign.means !== undefined) suggested.add(foreign.means)
    } else if (!name.startsWith('x-')) reportUnknown(name, keys, at, suggested, diagnostics)
  }
  return { fields, at: at.renaming(renamed), suggested }
}

function isFree(name: string, raw: Fields, renamed: Record<string, string>): boolean {
  return !Object.hasOwn(raw, name) && !Object.hasOwn(renamed, name)
}

function renamedKeyDiagnostic(name: string, to: string, at: SourceNode) {
  const message = `\`${name}\` is called \`${to}\` here`
  return { code: 'renamed-key', at: at.child(name), part: 'key', message, hint: `rename it to \`${to}\`` } as const
}

function foreignKeyDiagnostic(name: string, foreign: ForeignKey, at: SourceNode, value: unknown) {
  const location = { at: at.child(name), part: 'key' } as const
  switch (foreign.kind) {
    case 'renamed':
      return {
        code: 'two-spellings',
        ...location,
        message: `\`${name}\` and \`${foreign.to}\` mean the same: keep one`,
      } as const
    case 'describes':
      return {
        code: 'describing-key',
        ...location,
        message: `\`${name}\` is ignored here`,
        hint: `write it as \`metadata.${name}\``,
      } as const
    case 'refused':
      return {
        code: 'foreign-key',
        ...location,
        message: `\`${name}\` is not supported here`,
        hint: typeof foreign.hint === 'string' ? foreign.hint : foreign.hint(value),
      } as const
  }
}

function reportUnknown(
  name: string,
  { known, foreign }: Keys,
  at: SourceNode,
  suggested: Set<string>,
  diagnostics: Diagnostics,
): void {
  const readable = [...foreign].flatMap(([key, { kind }]) => (kind === 'refused' ? [] : [key]))
  const near = closestMatch(name, [...known, ...readable])
  const target = near === undefined ? undefined : foreign.get(near)
  if (near !== undefined) suggested.add(target?.kind === 'renamed' ? target.to : near)
  const hint = near ? `did you mean \`${near}\`?` : `valid keys are ${[...known].join(', ')}`
  diagnostics.add({
    code: 'unknown-key',
    at: at.child(name),
    part: 'key',
    message: `unknown key ${quoteCode(name)}`,
    hint,
  })
}
