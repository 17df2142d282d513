import { COLLECTION_STYLE, EVENT_ID, type Event, type Node } from 'js-yaml'
import { withoutNullish } from '../lib/objects.ts'
import { hasHashBetweenNodes, indentOf, isCollection, type Step, startOfLine, stepsThrough } from './yaml-steps.ts'

/** The comments of a node, in fields that js-yaml reserves for them and neither fills nor prints. */
export interface Comments {
  /** Lines above the node. */
  commentBefore?: string | undefined
  /** At the end of its line, or of the line of its key; with the spaces before it. */
  comment?: string | undefined
  /** Lines below the last entry of a collection. */
  commentAfter?: string | undefined
}

/** Attaches the comments of a text to the nodes that it was parsed to. */
export function attachComments(root: Node, events: readonly Event[], text: string): void {
  if (!hasHashBetweenNodes(events, text)) return
  let previous: Step | undefined
  let above: string[] = []
  for (const step of stepsThrough(root, events, text)) {
    for (const comment of commentsBetween(text, step.before, step.start)) {
      const { node, field } = ownerOf(comment, step, previous) ?? { node: root, field: 'commentAfter' }
      if (node === step.node && field === 'commentBefore') above.push(comment.text)
      else append(node, field, comment.text)
    }
    previous = step
    // Lines above a list belong to its first item: new runs are added before that.
    if (isBlockSequence(step)) continue
    if (step.node) for (const text of above) append(step.node, 'commentBefore', text)
    above = []
  }
}

interface Comment {
  /** On its own line: with the empty lines after it; else with the spaces before it. */
  readonly text: string
  readonly isOwnLine: boolean
  readonly lineStart: number
  readonly column: number
  /** Whether it is further to the right than the line of the next node. */
  readonly isDeeper: boolean
  /** How many flow collections end between the node before and the comment. */
  readonly brackets: number
}

const COMMENT_OR_BRACKET = /(?<=^|\s)(#[^\r\n]*)((?:\r?\n[ \t]*)*)|[\]}]/g

function* commentsBetween(text: string, from: number, to: number): Generator<Comment> {
  const between = text.slice(from, to)
  if (!between.includes('#')) return
  const indent = indentOf(text, to).length
  let brackets = 0
  for (const { index, 1: comment, 2: lineEnds = '' } of between.matchAll(COMMENT_OR_BRACKET)) {
    if (comment === undefined) {
      brackets++
      continue
    }
    const lineStart = startOfLine(text, from + index)
    const lead = text.slice(lineStart, from + index)
    const isOwnLine = lead.trim() === ''
    const emptyLines = '\n'.repeat(Math.max(0, lineEnds.split('\n').length - 2))
    const blanks = /[ \t]*$/.exec(lead)?.[0] ?? ''
    yield {
      text: isOwnLine ? `${comment.trimEnd()}${emptyLines}` : `${blanks}${comment.trimEnd()}`,
      isOwnLine,
      lineStart,
      column: lead.length,
      isDeeper: lead.length > indent,
      brackets,
    }
  }
}

interface Owner {
  readonly node: Node
  readonly field: keyof Comments
}

/** Returns the node that a comment before a step belongs to; undefined for one after the last node. */
function ownerOf(comment: Comment, step: Step, previous: Step | undefined): Owner | undefined {
  const { node: next, before, flows, closed } = step
  const [flow] = flows
  if (flow && comment.brackets < flows.length) return { node: flow, field: 'commentBefore' }
  if (!comment.isOwnLine) {
    const isOnLineBefore = comment.lineStart <= before
    const node = comment.brackets > 0 ? flow : isOnLineBefore ? entryOf(previous, next) : undefined
    if (node) return { node, field: 'comment' }
  } else if (!next || comment.isDeeper) {
    const around = closed.find(({ isFlow, column }) => !isFlow && column <= comment.column)
    if (around) return { node: around.node, field: 'commentAfter' }
  }
  return next && { node: next, field: 'commentBefore' }
}

/** Returns the node that a comment at the end of a step's line belongs to: for a key, its value. */
function entryOf(step: Step | undefined, next: Node | undefined): Node | undefined {
  if (step?.isKey) return next
  return isCollection(step?.event) ? undefined : step?.node
}

function isBlockSequence({ event }: Step): boolean {
  return event?.type === EVENT_ID.SEQUENCE && event.style === COLLECTION_STYLE.BLOCK
}

function append(node: Node & Comments, field: keyof Comments, text: string): void {
  const known = node[field]
  if (field === 'comment') node.comment = `${known ?? ''}${text}`
  else node[field] = known === undefined ? text.trimStart() : `${known}\n${text.trimStart()}`
}

/** Puts the comments of a text that has nothing else above a node. */
export function withCommentsIn(text: string, node: Node): Node {
  const lines = text.split(/\r?\n/).flatMap(line => (/^\s*#/.test(line) ? [line.trim()] : []))
  return lines.length === 0 ? node : ({ ...node, commentBefore: lines.join('\n') } as Node)
}

/** Moves the comments of a node to its replacement. */
export function withCommentsOf(replaced: Node, node: Node): Node {
  if (node === replaced || !isCommented(replaced)) return node
  const { commentBefore, comment, commentAfter } = replaced
  return { ...node, ...withoutNullish({ commentBefore, comment, commentAfter }) }
}

/** Removes the comments of a node and of everything in it. */
export function withoutComments(node: Node): Node {
  const rest = withoutOwnComments(node)
  if (rest.kind === 'sequence') return { ...rest, items: rest.items.map(withoutComments) }
  if (rest.kind !== 'mapping') return rest
  const items = rest.items.map(({ key, value }) => ({ key: withoutComments(key), value: withoutComments(value) }))
  return { ...rest, items }
}

export function withoutOwnComments<Kind extends Node & Comments>(node: Kind): Kind {
  if (!isCommented(node)) return node
  const { commentBefore, comment, commentAfter, ...rest } = node
  return rest as unknown as Kind
}

export function isCommented(node: Node & Comments): node is Node & Comments {
  return (node.commentBefore ?? node.comment ?? node.commentAfter) !== undefined
}
