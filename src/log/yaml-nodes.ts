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

/** A text that is no YAML, or none that could be a log. */
export class YamlError extends Error {
  override readonly name = 'NotYaml'
}

/** What stands in a YAML text; undefined where it is empty. The nodes keep how they are written. */
export function readYaml(text: string): Whole | undefined {
  const { documents, events } = parsed(text)
  if (documents.length > 1) throw new YamlError('it has several documents')
  const root = documents[0]?.contents
  if (!root || (root.kind === 'scalar' && root.value === '')) return undefined
  attachComments(root, events, text)
  return withoutAliases(root, { anchors: new Map(), budget: { left: MOST_MEANT }, depth: 0, isMeant: false })
}

/** A node in which nothing stands for something else. */
type Whole = Exclude<Node, { kind: 'alias' }>

function parsed(text: string): { documents: Document[]; events: Event[] } {
  try {
    const events = parseEvents(text, {})
    return { events, documents: eventsToAst(events, { source: text, schema: DUMP_SCHEMA }) }
  } catch (error) {
    throw new YamlError((error as { reason?: string }).reason ?? (error as Error).message)
  }
}

/** How many nodes aliases may stand for: more than any log needs, and less than a few aliases of aliases can make. */
const MOST_MEANT = 250_000

/** What js-yaml reads at most. */
const DEEPEST = 100

interface Walk {
  readonly anchors: Map<string, Whole>
  readonly budget: { left: number }
  readonly depth: number
  /** Whether an alias stands for this. */
  readonly isMeant: boolean
}

/** Parts move about in a log, and what an alias stands for may move behind it. */
function withoutAliases(node: Node, walk: Walk): Whole {
  const { anchors, budget, depth, isMeant } = walk
  if (depth > DEEPEST || (isMeant && --budget.left < 0)) throw new YamlError('its aliases make it too large')
  if (node.kind === 'alias') {
    const meant = anchors.get(node.anchor)
    if (!meant) throw new YamlError(`unknown alias *${node.anchor}`)
    return withCommentsOf(node, withoutAliases(meant, { ...walk, isMeant: true })) as Whole
  }
  const { anchor, ...rest } = isMeant ? withoutOwnComments(node) : node
  const copy = copied(rest as Whole, part => withoutAliases(part, { ...walk, depth: depth + 1 }))
  // Known only now: nothing can stand for what it is in.
  if (anchor !== undefined) anchors.set(anchor, copy)
  return copy
}

function copied(node: Whole, copy: (part: Node) => Node): Whole {
  if (node.kind === 'scalar') return node
  if (node.kind === 'sequence') return { ...node, items: node.items.map(copy) }
  return { ...node, items: node.items.map(({ key, value }) => ({ key: copy(key), value: copy(value) })) }
}

/** A value as a node, in the style that suits it. */
export function nodeOf(value: unknown): Node {
  const [document] = jsToAst(value, DUMP_SCHEMA, { noRefs: true })
  return document?.contents as Node
}

/** A text as a node of a certain style. */
export function textNode(text: string, style: ScalarNode['style']): Node {
  return { ...(nodeOf(text) as ScalarNode), style }
}

/** A float, which stays one for readers that tell it from a whole number. */
export function floatNode(value: number | null): Node {
  if (value === null) return nodeOf(null)
  return { ...(nodeOf(0.5) as ScalarNode), value: floatText(value) }
}

/** `0.0`, `1.0e-7`: what YAML and JSON both take for a float. */
export function floatText(value: number): string {
  const text = String(value)
  if (/\./.test(text)) return text
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`
}

/** The text of a file. Both old and new readers of YAML find in it what was put there. */
export function yamlText(root: MappingNode): string {
  const long = new LongTexts()
  const options = { schema: DUMP_SCHEMA, seqNoIndent: true, lineWidth: -1 }
  const text = long.putInto(present([{ contents: long.takeOutOf(root), directives: [] }], options))
  return insertComments(text, root)
}

/** The value of a key; of a key that is there twice the last one, as Python has it. */
export function valueAt(mapping: MappingNode, key: string): Node | undefined {
  return entryAt(mapping, key)?.value
}

type Entry = MappingNode['items'][number]

export function entryAt(mapping: MappingNode, key: string): Entry | undefined {
  return mapping.items.findLast(({ key: node }) => node.kind === 'scalar' && node.value === key)
}

/** Gives a key a value, which takes over the comments of the value before. A new key is put where the order says, behind those before it. */
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

/** Takes a key out, and gives it with its value and their comments. */
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

/** What a node says: scalars as the texts that stand in the file, whatever else they could mean. */
export function plainValue(node: Node | undefined): unknown {
  if (node === undefined || node.kind === 'alias') return undefined
  if (node.kind === 'scalar') return node.tag === NULL ? undefined : node.value
  if (node.kind === 'sequence') return node.items.map(plainValue)
  const fields = node.items.map(({ key, value }) => [String(plainValue(key)), plainValue(value)] as const)
  return Object.fromEntries(fields)
}

const NULL = 'tag:yaml.org,2002:null'
