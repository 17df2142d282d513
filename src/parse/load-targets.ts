import { z } from 'zod'
import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import { didYouMean } from '../lib/suggestion.ts'
import { customProvider, customTargetSchema, type TargetType, targetsSchema } from '../spec/targets.ts'
import type { Files } from './files.ts'
import type { Mistakes } from './mistakes.ts'
import { readDocument } from './read-document.ts'
import { checkShape } from './shape.ts'
import type { SourceNode } from './source-node.ts'

const SCHEMA = targetsSchema(z.any())

/** Reads a targets file and reports every mistake that the file alone shows. */
export async function checkTargets(
  file: string,
  types: readonly TargetType[],
  files: Files,
  mistakes: Mistakes,
): Promise<void> {
  const source = await files.read(file)
  const document = source && readDocument(source, mistakes)
  if (!document) return
  const { value, at } = document
  if (value === undefined) {
    mistakes.add({
      code: 'wrong-type',
      at,
      message: 'this file is empty',
      hint: 'write the targets as a list below `targets:`',
    })
    return
  }
  if (Array.isArray(value)) {
    const hint = 'put the list below `targets:`'
    mistakes.add({ code: 'wrong-type', at, message: 'a targets file must be a mapping, found a list', hint })
    return
  }
  checkShape(SCHEMA, value, at, mistakes)
  const targets = isMapping(value) && Array.isArray(value['targets']) ? value['targets'] : []
  const names = new Set<string>()
  for (const [index, target] of targets.entries()) {
    const node = at.child('targets', index)
    checkTarget(target, node, types, mistakes)
    if (!isMapping(target) || typeof target['name'] !== 'string') continue
    if (names.has(target['name'])) {
      const message = `a target named ${shown(target['name'])} already exists above`
      mistakes.add({ code: 'duplicate-name', at: node.child('name'), message })
    }
    names.add(target['name'])
  }
}

const ANY_TARGET = z.looseObject({ name: z.string(), provider: z.string() })

function checkTarget(target: unknown, at: SourceNode, types: readonly TargetType[], mistakes: Mistakes): void {
  if (isMapping(target) && target['provider'] === undefined) {
    const hint = 'name the kind of target, such as `cli` or `openai`'
    mistakes.add({ code: 'missing-key', at, message: '`provider` is missing', hint })
    return
  }
  if (!isMapping(target) || typeof target['provider'] !== 'string') {
    checkShape(ANY_TARGET, target, at, mistakes)
    return
  }
  const written = target['provider']
  const known = types.find(({ type }) => type === written.replaceAll('-', '_'))
  if (known) {
    const fields = checkShape(known.schema, target, at, mistakes)
    for (const { path, ...issue } of fields ? known.issues(fields) : []) {
      mistakes.add({ ...issue, at: at.child(...path) })
    }
  } else if (customProvider.test(written)) checkShape(customTargetSchema, target, at, mistakes)
  else {
    const names = types.map(({ type }) => type)
    const hint = didYouMean(written, names, `the providers are ${names.join(', ')}, or the path of a module`)
    mistakes.add({
      code: 'unknown-provider',
      at: at.child('provider'),
      message: `unknown provider ${shown(written)}`,
      hint,
    })
  }
}
