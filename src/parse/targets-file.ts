import * as z from 'zod'
import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import { targetsSchema } from '../spec/targets.ts'
import type { Files } from './files.ts'
import { reportLongIntegers } from './long-integers.ts'
import type { Mistakes } from './mistakes.ts'
import { readDocument } from './read-document.ts'
import { checkShape } from './shape.ts'
import type { SourceNode } from './source-node.ts'

const SCHEMA = targetsSchema(z.any())

/** A target as it is written. */
export interface WrittenTarget {
  readonly raw: unknown
  readonly name: string | undefined
  readonly at: SourceNode
}

export interface TargetsFile {
  readonly targets: readonly WrittenTarget[]
  readonly at: SourceNode
}

/** Reads a targets file, and reports what is wrong with it as a whole; undefined when nothing is left to look at. */
export async function readTargetsFile(
  file: string,
  files: Files,
  mistakes: Mistakes,
  /** Where the mistakes of one target go. */
  mistakesOf: (index: number) => Mistakes = () => mistakes,
): Promise<TargetsFile | undefined> {
  const source = await files.read(file)
  const document = source && readDocument(source, mistakes)
  if (!document) return undefined
  const { value, at } = document
  if (value === undefined) {
    const hint = 'write the targets as a list below `targets:`'
    mistakes.add({ code: 'wrong-type', at, message: 'this file is empty', hint })
    return undefined
  }
  if (Array.isArray(value)) {
    const hint = 'put the list below `targets:`'
    mistakes.add({ code: 'wrong-type', at, message: 'a targets file must be a mapping, found a list', hint })
    return undefined
  }
  checkShape(SCHEMA, value, at, mistakes)
  const list = isMapping(value) && Array.isArray(value['targets']) ? value['targets'] : []
  const targets = list.map((raw, index) => ({ raw, name: nameOf(raw), at: at.child('targets', index) }))
  reportSameNames(targets, mistakesOf)
  for (const [index, target] of targets.entries()) reportLongIntegers(target.raw, target.at, mistakesOf(index))
  return { targets, at }
}

function nameOf(raw: unknown): string | undefined {
  return isMapping(raw) && typeof raw['name'] === 'string' ? raw['name'] : undefined
}

function reportSameNames(targets: readonly WrittenTarget[], mistakesOf: (index: number) => Mistakes): void {
  const names = new Set<string>()
  for (const [index, { name, at }] of targets.entries()) {
    if (name === undefined) continue
    if (names.has(name)) {
      const message = `a target named ${shown(name)} already exists above`
      mistakesOf(index).add({ code: 'duplicate-name', at: at.child('name'), message })
    }
    names.add(name)
  }
}
