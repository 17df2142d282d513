import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping } from '../../lib/objects.ts'
import { frontmatterOf } from '../../lib/text/frontmatter.ts'
import { ROOT } from '../yaml/outline.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import type { Span } from '../yaml/yaml-spans.ts'
import type { YamlTree } from '../yaml/yaml-tree.ts'

/** What a SKILL.md says about its skill. */
export interface SkillText {
  /** Undefined if it has none. */
  readonly name: string | undefined
  readonly description: string
  /** The text behind the frontmatter. */
  readonly body: string
}

interface Parts {
  /** Offset of the first line of the frontmatter behind `---`. */
  readonly start: number
  readonly yaml: string
  readonly body: string
}

/** Agents accept frontmatter that is not valid YAML, often because of a colon in the description. */
const LINE = /^description:[ \t]*(.*?)[ \t]*$/m

/** Reads a SKILL.md; undefined if it has no frontmatter with a description. */
export function readSkillText(text: string): SkillText | undefined {
  const parts = partsOf(text)
  if (!parts) return undefined
  const { fields } = readFields(parts.yaml)
  const { name, description } = fields ?? { name: undefined, description: LINE.exec(parts.yaml)?.[1] }
  if (typeof description !== 'string' || description.trim() === '') return undefined
  const { body } = parts
  return { name: typeof name === 'string' && name !== '' ? name : undefined, description: description.trim(), body }
}

/**
 * Replaces the description in a SKILL.md by one line, in the style that it is written in; every other byte stays.
 * Returns undefined if that would change another field.
 */
export function replaceDescription(text: string, description: string): string | undefined {
  const parts = partsOf(text)
  if (!parts) return undefined
  const { start, yaml } = parts
  const { fields, tree } = readFields(yaml)
  const span = tree ? valueSpan(yaml, tree) : lineSpan(yaml)
  if (!span) return undefined
  for (const scalar of scalarsFor(description, yaml.slice(span.start, span.end), yaml.includes('\r\n'))) {
    const changed = `${yaml.slice(0, span.start)}${scalar}${yaml.slice(span.end)}`
    if (isOnlyDescription(changed, description, fields))
      return `${text.slice(0, start)}${changed}${text.slice(start + yaml.length)}`
  }
  return undefined
}

function partsOf(text: string): Parts | undefined {
  const found = frontmatterOf(text)
  if (!found) return undefined
  const start = found.yaml.indexOf('\n') + 1
  return { start, yaml: found.yaml.slice(start), body: text.slice(found.end) }
}

type Fields = Readonly<Record<string, unknown>>

function readFields(yaml: string): { readonly fields?: Fields; readonly tree?: YamlTree } {
  const { document, problems } = readYaml(yaml)
  if (!document || problems.length > 0 || !isMapping(document.value)) return {}
  return { fields: document.value, tree: document.tree }
}

/** The value of the description, with its quotes or its header. */
function valueSpan(yaml: string, tree: YamlTree): Span | undefined {
  const { node, complete } = tree.find(ROOT, ['description'])
  const span = complete ? tree.span(node) : undefined
  if (!span || !/^[|>]/.test(yaml.slice(span.start, span.end))) return span
  // The text of a block is indented, and may have empty lines.
  const [block = ''] = /^[^\r\n]*(?:(?:\r?\n[ \t]*)*\r?\n[ \t]+[^\s][^\r\n]*)*/.exec(yaml.slice(span.start)) ?? []
  return { start: span.start, end: span.start + block.length }
}

/** The value of a description on one line, in frontmatter that is not valid YAML. */
function lineSpan(yaml: string): Span | undefined {
  const found = LINE.exec(yaml)
  if (!found) return undefined
  const end = found.index + found[0].trimEnd().length
  const start = end - (found[1]?.length ?? 0)
  return { start, end }
}

/** The description in the style of the present one, then in double quotes, which can hold any text. */
function scalarsFor(description: string, written: string, isCrlf: boolean): string[] {
  const quoted = JSON.stringify(description)
  const [first = ''] = written
  if (first === '"') return [quoted]
  if (first === "'") return [`'${description.replaceAll("'", "''")}'`, quoted]
  if (first !== '|' && first !== '>') return [description, quoted]
  const [header = ''] = /^[^\r\n]*/.exec(written) ?? []
  const [, indent = '  '] = /\r?\n([ \t]+)\S/.exec(written) ?? []
  return [`${header}${isCrlf ? '\r\n' : '\n'}${indent}${description}`, quoted]
}

/** Whether the frontmatter is valid, has this description, and its other fields are as before. */
function isOnlyDescription(yaml: string, wanted: string, before: Fields | undefined): boolean {
  const { fields } = readFields(yaml)
  if (!fields) return false
  const { description, ...others } = fields
  if (typeof description !== 'string' || description.trim() !== wanted) return false
  if (!before) return true
  const { description: _, ...same } = before
  return canonicalJson(others) === canonicalJson(same)
}
