import {
  type Document,
  DUMP_SCHEMA,
  type Event,
  eventsToAst,
  jsToAst,
  type MappingNode,
  type Node,
  parseEvents,
  present,
  type ScalarNode,
  type SequenceNode,
} from 'js-yaml'
import { insertComments } from './insert-comments.ts'
import { LongTexts } from './long-texts.ts'
import { attachComments, withCommentsOf, withoutOwnComments } from './yaml-comments.ts'

/** A text that is not valid YAML, or not a single document. */
export class YamlError extends Error {
  override readonly name = 'NotYaml'
}

/** Parses a YAML text; undefined if it is empty. The nodes keep their style and comments. */
export function readYaml(text: string): ResolvedNode | undefined {
  const { documents, events } = parsed(text)
  if (documents.length > 1) throw new YamlError('it has several documents')
  const root = documents[0]?.contents
  if (!root || (root.kind === 'scalar' && root.value === '')) return undefined
  attachComments(root, events, text)
  return withoutAliases(root, { anchors: new Map(), budget: { left: MOST_EXPANDED }, depth: 0, isExpansion: false })
}

/** A node without aliases. */
type ResolvedNode = Exclude<Node, { kind: 'alias' }>

function parsed(text: string): { documents: Document[]; events: Event[] } {
  try {
    const events = parseEvents(text, {})
    return { events, documents: eventsToAst(events, { source: text, schema: DUMP_SCHEMA }) }
  } catch (error) {
    throw new YamlError((error as { reason?: string }).reason ?? (error as Error).message)
  }
}

/** Maximum number of nodes that aliases expand to: enough for any log, and a limit for nested aliases. */
const MOST_EXPANDED = 250_000

/** The nesting limit of js-yaml. */
const DEEPEST = 100

interface Walk {
  readonly anchors: Map<string, ResolvedNode>
  readonly budget: { left: number }
  readonly depth: number
  /** Whether this is the expansion of an alias. */
  readonly isExpansion: boolean
}

/** Expands aliases: entries move in a log, and an anchor could end up behind its alias. */
function withoutAliases(node: Node, walk: Walk): ResolvedNode {
  const { anchors, budget, depth, isExpansion } = walk
  if (depth > DEEPEST || (isExpansion && --budget.left < 0)) throw new YamlError('its aliases make it too large')
  if (node.kind === 'alias') {
    const target = anchors.get(node.anchor)
    if (!target) throw new YamlError(`unknown alias *${node.anchor}`)
    return withCommentsOf(node, withoutAliases(target, { ...walk, isExpansion: true })) as ResolvedNode
  }
  const { anchor, ...rest } = isExpansion ? withoutOwnComments(node) : node
  const copy = copied(rest as ResolvedNode, part => withoutAliases(part, { ...walk, depth: depth + 1 }))
  // Only now: an alias cannot refer to a node that contains it.
  if (anchor !== undefined) anchors.set(anchor, copy)
  return copy
}

function copied(node: ResolvedNode, copy: (part: Node) => Node): ResolvedNode {
  if (node.kind === 'scalar') return node
  if (node.kind === 'sequence') return { ...node, items: node.items.map(copy) }
  return { ...node, items: node.items.map(({ key, value }) => ({ key: copy(key), value: copy(value) })) }
}

/** Converts a value to a node. */
export function nodeOf(value: unknown): Node {
  const [document] = jsToAst(value, DUMP_SCHEMA, { noRefs: true })
  return document?.contents as Node
}

/** Converts a text to a node with a style. */
export function textNode(text: string, style: ScalarNode['style']): Node {
  return { ...(nodeOf(text) as ScalarNode), style }
}

/** Converts a number to a node that readers take for a float, even if it is whole. */
export function floatNode(value: number | null): Node {
  if (value === null) return nodeOf(null)
  return { ...(nodeOf(0.5) as ScalarNode), value: floatText(value) }
}

/** Formats a float for YAML and JSON: `0.0`, `1.0e-7`. */
export function floatText(value: number): string {
  const text = String(value)
  if (/\./.test(text)) return text
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`
}

/** Writes a tree as YAML that readers of YAML 1.1 and 1.2 understand alike. */
export function yamlText(root: MappingNode): string {
  const long = new LongTexts()
  const options = { schema: DUMP_SCHEMA, seqNoIndent: true, lineWidth: -1 }
  const text = long.putInto(present([{ contents: long.takeOutOf(root), directives: [] }], options))
  return insertComments(text, root)
}

/** Returns the value of a key; the last one of a duplicate key, as in Python. */
export function valueAt(mapping: MappingNode, key: string): Node | undefined {
  return entryAt(mapping, key)?.value
}

type Entry = MappingNode['items'][number]

export function entryAt(mapping: MappingNode, key: string): Entry | undefined {
  return mapping.items.findLast(({ key: node }) => node.kind === 'scalar' && node.value === key)
}

/** Sets a key and keeps the comments of its value. A new key is inserted after those before it in `order`. */
export function setValue(mapping: MappingNode, key: string, value: Node, order: readonly string[]): void {
  const place = (wanted: string) =>
    mapping.items.findLastIndex(({ key: node }) => node.kind === 'scalar' && node.value === wanted)
  const there = mapping.items[place(key)]
  if (there) {
    there.value = withCommentsOf(there.value, value)
    return
  }
  const before = order.slice(0, order.indexOf(key)).map(place)
  mapping.items.splice(Math.max(-1, ...before) + 1, 0, { key: nodeOf(key), value })
}

/** Removes a key and returns its entry. */
export function takeEntry(mapping: MappingNode, key: string): Entry | undefined {
  const entry = entryAt(mapping, key)
  mapping.items = mapping.items.filter(({ key: node }) => node.kind !== 'scalar' || node.value !== key)
  return entry
}

export function isSequence(node: Node | undefined): node is SequenceNode {
  return node?.kind === 'sequence'
}

export function isMappingNode(node: Node | undefined): node is MappingNode {
  return node?.kind === 'mapping'
}

/** Converts a node to a value. Scalars are strings as they are written. */
export function plainValue(node: Node | undefined): unknown {
  if (node === undefined || node.kind === 'alias') return undefined
  if (node.kind === 'scalar') return node.tag === NULL ? undefined : node.value
  if (node.kind === 'sequence') return node.items.map(plainValue)
  const fields = node.items.map(({ key, value }) => [String(plainValue(key)), plainValue(value)] as const)
  return Object.fromEntries(fields)
}

const NULL = 'tag:yaml.org,2002:null'
