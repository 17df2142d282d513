import { CHECK_LIST_KEYS } from '../spec/check.ts'
import type { Fields } from './keys.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

export interface CheckList {
  readonly entries: readonly unknown[]
  /** Which of the three names it has. */
  readonly key: (typeof CHECK_LIST_KEYS)[number]
  readonly at: SourceNode
}

/** The list of checks in a mapping, under whichever of its names. */
export function checkListIn(fields: Fields, at: SourceNode, mistakes: Mistakes): CheckList {
  const [key = 'assert', ...others] = CHECK_LIST_KEYS.filter(name => fields[name] !== undefined)
  for (const other of others) {
    const message = `\`${other}\` and \`${key}\` are the same: keep one`
    mistakes.add({ code: 'two-spellings', at: at.child(other), part: 'key', message })
  }
  const entries = fields[key]
  return { entries: Array.isArray(entries) ? entries : [], key, at: at.child(key) }
}
