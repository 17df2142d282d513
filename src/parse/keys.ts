import { nearest } from '../lib/nearest.ts'
import type { ForeignKey } from '../spec/foreign-keys.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

export interface Keys {
  readonly known: ReadonlySet<string>
  readonly foreign: ReadonlyMap<string, ForeignKey>
}

export type Fields = Record<string, unknown>

/** The fields of a suite or test under the names we use: keys of other formats renamed, refused or passed over, `x-…` left out. */
export function knownFields(
  raw: Fields,
  at: SourceNode,
  keys: Keys,
  mistakes: Mistakes,
): { fields: Fields; at: SourceNode } {
  const names = Object.keys(raw)
  if (names.every(name => keys.known.has(name))) return { fields: raw, at }
  const fields: Fields = {}
  const renamed: Record<string, string> = {}
  for (const name of names) {
    const foreign = keys.foreign.get(name)
    if (keys.known.has(name)) fields[name] = raw[name]
    else if (foreign?.kind === 'renamed' && isFree(foreign.to, raw, renamed)) {
      fields[foreign.to] = raw[name]
      renamed[foreign.to] = name
      mistakes.add(renamedMistake(name, foreign.to, at))
    } else if (foreign) mistakes.add(foreignMistake(name, foreign, at))
    else if (!name.startsWith('x-')) mistakes.add(unknownMistake(name, keys, at))
  }
  return { fields, at: at.renaming(renamed) }
}

function isFree(name: string, raw: Fields, renamed: Record<string, string>): boolean {
  return !Object.hasOwn(raw, name) && !Object.hasOwn(renamed, name)
}

function renamedMistake(name: string, to: string, at: SourceNode) {
  const message = `\`${name}\` is called \`${to}\` here`
  return { code: 'renamed-key', at: at.child(name), part: 'key', message, hint: `rename it to \`${to}\`` } as const
}

function foreignMistake(name: string, foreign: ForeignKey, at: SourceNode) {
  const place = { at: at.child(name), part: 'key' } as const
  switch (foreign.kind) {
    case 'renamed':
      return {
        code: 'two-spellings',
        ...place,
        message: `\`${name}\` and \`${foreign.to}\` are the same: keep one`,
      } as const
    case 'describes':
      return {
        code: 'describing-key',
        ...place,
        message: `\`${name}\` is not read here`,
        hint: `write it as \`metadata.${name}\``,
      } as const
    case 'refused':
      return { code: 'foreign-key', ...place, message: `there is no \`${name}\` here`, hint: foreign.hint } as const
  }
}

function unknownMistake(name: string, { known, foreign }: Keys, at: SourceNode) {
  const meant = nearest(name, [...known, ...foreign.keys()])
  const hint = meant ? `did you mean \`${meant}\`?` : `the keys here are ${[...known].join(', ')}`
  return { code: 'unknown-key', at: at.child(name), part: 'key', message: `unknown key \`${name}\``, hint } as const
}
