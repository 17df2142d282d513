import { COLLECTION_STYLE, EVENT_ID, type Event, type Node } from 'js-yaml'

/** A node and where it is in its text. The last step has no node: it is the end of the text. */
export interface Step {
  readonly node: Node | undefined
  readonly event: NodeEvent | undefined
  /** Offsets of its content; for a collection, both are its start. */
  readonly start: number
  readonly end: number
  /** Where the content of the step before ends. */
  readonly before: number
  readonly isKey: boolean
  /** The flow collections around the step before, outermost first. */
  readonly flows: readonly Node[]
  /** The collections that end between the step before and this one, innermost first. */
  readonly closed: readonly Collection[]
}

export interface Collection {
  readonly node: Node
  readonly column: number
  readonly isFlow: boolean
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>

interface OpenCollection extends Collection {
  readonly isMapping: boolean
  children: number
}

/** Yields the nodes of a tree in the order of its text, with the events that the text was parsed to. */
export function* stepsThrough(root: Node, events: readonly Event[], text: string): Generator<Step> {
  const nodes = nodesIn(root).values()
  const open: OpenCollection[] = []
  let [flows, closed, before]: [Node[], Collection[], number] = [[], [], 0]
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue
    if (event.type === EVENT_ID.POP) {
      const collection = open.pop()
      if (collection) closed.push(collection)
      continue
    }
    const node = nodes.next().value as Node
    const parent = open.at(-1)
    const isKey = parent?.isMapping === true && parent.children++ % 2 === 0
    const { start, end } = spanOf(event, before)
    yield { node, event, start, end, before, isKey, flows, closed }
    if (isCollection(event))
      open.push({ node, column: start - startOfLine(text, start), ...kindOf(event), children: 0 })
    flows = open.flatMap(({ isFlow, node }) => (isFlow ? [node] : []))
    closed = []
    before = end
  }
  const end = text.length
  yield { node: undefined, event: undefined, start: end, end, before, isKey: false, flows, closed }
}

/** The nodes of a tree in the order of its text. */
export function nodesIn(node: Node, found: Node[] = []): Node[] {
  found.push(node)
  if (node.kind === 'sequence') for (const item of node.items) nodesIn(item, found)
  if (node.kind === 'mapping') {
    for (const { key, value } of node.items) {
      nodesIn(key, found)
      nodesIn(value, found)
    }
  }
  return found
}

type CollectionEvent = Extract<NodeEvent, { start: number }>

export function isCollection(event: NodeEvent | undefined): event is CollectionEvent {
  return event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.MAPPING
}

function kindOf({ type, style }: CollectionEvent): Pick<OpenCollection, 'isFlow' | 'isMapping'> {
  return { isFlow: style === COLLECTION_STYLE.FLOW, isMapping: type === EVENT_ID.MAPPING }
}

/** Whether there is a `#` between the nodes of a text, where only comments can have one. */
export function hasHashBetweenNodes(events: readonly Event[], text: string): boolean {
  let hash = text.indexOf('#')
  let before = 0
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) continue
    const { start, end } = spanOf(event, before)
    if (hash >= 0 && hash < before) hash = text.indexOf('#', before)
    if (hash < start) return hash >= 0
    before = end
  }
  return text.indexOf('#', before) >= 0
}

/** Returns the offsets of a node's content; an empty scalar is at the end of the node before. */
function spanOf(event: NodeEvent, before: number): Pick<Step, 'start' | 'end'> {
  if (isCollection(event)) return { start: event.start, end: event.start }
  if (event.type === EVENT_ID.ALIAS) return { start: event.anchorStart, end: event.anchorEnd }
  return event.valueStart < 0 ? { start: before, end: before } : { start: event.valueStart, end: event.valueEnd }
}

export function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Returns the spaces at the start of a line. */
export function indentOf(text: string, offset: number): string {
  const start = startOfLine(text, offset)
  let end = start
  while (text[end] === ' ') end++
  return text.slice(start, end)
}
