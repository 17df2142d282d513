import { isMapping } from '../lib/objects.ts'
import { truncate } from '../lib/text/quote.ts'
import { type FileReference, type Part, parseTemplate, type Reference, type Step } from './template.ts'

/** An error that a mocked tool returns to the agent. */
export class ToolError extends Error {}

/** What templates refer to. */
export interface Scope {
  readonly state: unknown
  readonly input: unknown
  /** Texts by path; undefined if templates cannot insert files. */
  readonly files?: Readonly<Record<string, string>> | undefined
}

/** Most characters of a result, and of a value of the state. */
const LARGEST_VALUE = 20_000_000

/** Fills in the templates in a value. Throws `ToolError` if one of them refers to something that does not exist. */
export function renderValue(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return renderText(value, scope)
  if (Array.isArray(value)) return value.map(item => renderValue(item, scope))
  if (!isMapping(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, renderValue(part, scope)]))
}

/** A text that is one template gives the value itself; any other gives a text. */
function renderText(text: string, scope: Scope): unknown {
  if (!text.includes('{{')) return text
  const parts = parseTemplate(text, { files: scope.files !== undefined })
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return valueOfPart(only, scope)
  let rendered = ''
  for (const part of parts) {
    rendered += asText(valueOfPart(part, scope))
    requireSize(rendered)
  }
  return rendered
}

/** The text of a value: JSON for lists and mappings. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  const json = JSON.stringify(value) ?? ''
  requireSize(json)
  return json
}

function requireSize(text: string): void {
  if (text.length > LARGEST_VALUE) throw new ToolError('the value is larger than 20 MB')
}

function valueOfPart(part: Part, scope: Scope): unknown {
  if (typeof part === 'string') return part
  return 'file' in part ? textOfFile(part, scope) : resolveReference(part, scope)
}

function textOfFile({ file }: FileReference, scope: Scope): string {
  const path = file.map(part => (typeof part === 'string' ? part : asText(resolveReference(part, scope)))).join('')
  const { files = {} } = scope
  if (!Object.hasOwn(files, path)) throw new ToolError(`the file ${truncate(path, 200)} does not exist`)
  return files[path] ?? ''
}

function resolveReference({ root, steps }: Reference, scope: Scope): unknown {
  return valueAtKeys(scope[root], resolveKeys(steps, scope), root)
}

/** A key of a path, and how a message shows it: `.orders`, `["A9"]`. */
export interface Key {
  readonly key: string | number
  readonly text: string
}

/** Replaces references in brackets by the keys that they refer to. */
export function resolveKeys(steps: readonly Step[], scope: Scope): readonly Key[] {
  return steps.map(step => {
    if (typeof step === 'string')
      return { key: step, text: /^[^\s.[\]{}"']+$/.test(step) ? `.${step}` : inBrackets(step) }
    if (typeof step === 'number') return { key: step, text: inBrackets(step) }
    const key = resolveReference(step, scope)
    if (typeof key === 'string' || typeof key === 'number') return { key, text: inBrackets(key) }
    throw new ToolError(`${formatReference(step)} is not a text or a number, so it cannot be a key`)
  })
}

function inBrackets(key: string | number): string {
  return `[${truncate(JSON.stringify(key), 100)}]`
}

/** Returns the value at a path of own properties. Throws `ToolError` if a property is missing. */
export function valueAtKeys(root: unknown, keys: readonly Key[], name: string): unknown {
  let value = root
  for (const [index, { key }] of keys.entries()) {
    if (!hasKey(value, key)) throw new ToolError(`${formatKeys(name, keys.slice(0, index + 1))} does not exist`)
    value = value[key]
  }
  return value
}

function hasKey(value: unknown, key: string | number): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

/** Formats a path for a message: `state.orders["A9"]`. */
export function formatKeys(name: string, keys: readonly Key[]): string {
  return truncate(`${name}${keys.map(({ text }) => text).join('')}`, 300)
}

function formatReference({ root, steps }: Reference): string {
  const text = (step: Step) =>
    typeof step === 'object' ? `[${formatReference(step)}]` : typeof step === 'number' ? `[${step}]` : `.${step}`
  return truncate(`${root}${steps.map(text).join('')}`, 300)
}
