import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import {
  BadTemplate,
  type Part,
  parseStatePath,
  parseTemplate,
  type Reference,
  referencesIn,
} from '../../mocks/template.ts'
import type { Location, Part as LocationPart, Origin } from '../../model/location.ts'
import type { Diagnostics } from '../diagnostics.ts'

/** What the templates of a tool can refer to. */
export interface TemplateScope {
  /** Keys of the state. */
  readonly state: ReadonlySet<string>
  /** Names of the arguments; undefined if any are allowed. */
  readonly input: ReadonlySet<string> | undefined
  /** Paths of the files that can be inserted; undefined if none can. */
  readonly files: ReadonlySet<string> | undefined
  readonly diagnostics: Diagnostics
}

const HINT = 'write it as `{{state.orders[input.id]}}`, or `\\{{` for literal braces'

/** Reports invalid templates in a value, and references to what cannot exist. */
export function reportTemplates(value: unknown, at: Origin, scope: TemplateScope): void {
  if (typeof value === 'string') reportTextTemplates(value, at, scope)
  else if (typeof value === 'number') reportNotJson(value, at, scope)
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) reportTemplates(item, at.child(index), scope)
  else if (isMapping(value)) {
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('{{')) {
        const message = `${quoteCode(key)} is a key: templates are filled in only in values`
        scope.diagnostics.add({
          code: 'bad-template',
          at: at.child(key),
          part: 'key',
          message,
          hint: 'write the key out',
        })
      }
      reportTemplates(part, at.child(key), scope)
    }
  }
}

/** Reports numbers that JSON, and so a record, cannot have. */
export function reportNotJson(value: unknown, at: Origin, { diagnostics }: Pick<TemplateScope, 'diagnostics'>): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const message = `${value} cannot be a value of a mock, because JSON does not have it`
    diagnostics.add({ code: 'wrong-type', at, message, hint: 'write a finite number, or put it in quotes' })
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      reportNotJson(part, at.child(Array.isArray(value) ? Number(key) : key), { diagnostics })
}

/** Reports invalid templates in a text. */
export function reportTextTemplates(text: string, at: Origin | Location, scope: TemplateScope): void {
  if (!text.includes('{{')) return
  const parts = parsed(() => parseTemplate(text, { files: scope.files !== undefined }), text, at, 'value', scope)
  reportReferences(parts ?? [], at, 'value', scope)
  for (const part of parts ?? []) if (typeof part === 'object' && 'file' in part) reportFile(part.file, at, scope)
}

/** Reports a path of `set` that is invalid or leads to what cannot exist. */
export function reportStatePath(path: string, at: Origin | Location, scope: TemplateScope): void {
  const steps = parsed(() => parseStatePath(path), path, at, 'key', scope)
  if (!steps) return
  reportReferences(steps, at, 'key', scope)
  const [first, ...others] = steps
  // One step creates the key.
  if (others.length === 0 && first !== 'state') return
  if (first === 'state' && !scope.state.has('state')) {
    const message = 'paths of `set` start in the state'
    const hint = 'write the path without `state.`'
    scope.diagnostics.add({ code: 'bad-template', at, part: 'key', message, hint })
  } else if (typeof first === 'string') reportUnknown('state', first, scope.state, at, 'key', scope)
}

function parsed<Value>(
  parse: () => Value,
  text: string,
  at: Origin | Location,
  part: LocationPart,
  { diagnostics }: TemplateScope,
): Value | undefined {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof BadTemplate)) throw error
    const near = text.slice(Math.max(0, error.offset - 30), error.offset + 10)
    const message = `invalid ${part === 'key' ? 'path' : 'template'} near ${quoteCode(near)}: ${error.message}`
    const hint = part === 'key' ? 'write it as `orders[input.id].status`' : HINT
    diagnostics.add({ code: 'bad-template', at, part, message, hint })
    return undefined
  }
}

function reportReferences(
  parts: Parameters<typeof referencesIn>[0],
  at: Origin | Location,
  part: LocationPart,
  scope: TemplateScope,
) {
  for (const { root, steps } of referencesIn(parts)) {
    const known = scope[root]
    const [first] = steps
    if (known && typeof first === 'string') reportUnknown(root, first, known, at, part, scope)
  }
}

function reportUnknown(
  root: Reference['root'],
  name: string,
  known: ReadonlySet<string>,
  at: Origin | Location,
  part: LocationPart,
  { diagnostics }: TemplateScope,
): void {
  if (known.has(name)) return
  const what = root === 'state' ? 'the state' : '`input`'
  const all = known.size > 0 ? `${what} has ${[...known].map(quoteCode).join(', ')}` : `${what} is empty`
  const message = `${what} has no ${quoteCode(name)}`
  diagnostics.add({ code: 'bad-template', at, part, message, hint: didYouMean(name, known, all) })
}

function reportFile(
  file: readonly (string | Part)[],
  at: Origin | Location,
  { files = new Set(), diagnostics }: TemplateScope,
): void {
  if (file.some(part => typeof part !== 'string')) return
  const path = file.join('')
  if (files.has(path)) return
  const hint = didYouMean(path, files, 'paths start at the folder of the server')
  diagnostics.add({ code: 'file-missing', at, message: `${quoteCode(path)} does not exist`, hint })
}
