import { COLLECTION_STYLE, EVENT_ID, type Node, parseEvents, SCALAR_STYLE } from 'js-yaml'
import { type Comments, isCommented } from './yaml-comments.ts'
import { type Collection, indentOf, isCollection, nodesIn, type Step, startOfLine, stepsThrough } from './yaml-steps.ts'

/** Inserts the comments of a tree into the YAML that it was written as. */
export function insertComments(text: string, root: Node): string {
  if (!nodesIn(root).some(isCommented)) return text
  const insertions: Insertion[] = []
  for (const step of stepsThrough(root, parseEvents(text, { maxDepth: DEEPEST }), text)) {
    for (const collection of step.closed) insertions.push(...insertionsAtEnd(text, collection, step.before))
    if (step.node) insertions.push(...insertionsAt(text, step, step.node))
  }
  return inserted(text, insertions)
}

/** Deeper than any readable log: entries of the history are two levels deeper than the turn was. */
const DEEPEST = 1000

interface Insertion {
  readonly offset: number
  readonly text: string
}

function* insertionsAt(text: string, { event, start, end, before }: Step, node: Node & Comments): Generator<Insertion> {
  const { commentBefore, comment } = node
  const isFlow = isCollection(event) && event.style === COLLECTION_STYLE.FLOW
  const isBlockScalar = event?.type === EVENT_ID.SCALAR && event.style >= SCALAR_STYLE.LITERAL_BLOCK
  if (commentBefore !== undefined) {
    const offset = startOfLine(text, isBlockScalar ? start - 1 : start)
    yield { offset, text: asLines(commentBefore, indentOf(text, offset)) }
  }
  if (comment === undefined || isFlow) return
  // The comment of a block scalar is behind its `|`, that of a block collection behind its key.
  const offset = isBlockScalar ? start - 1 : text.indexOf('\n', isCollection(event) ? before : end)
  yield { offset, text: comment }
}

function* insertionsAtEnd(text: string, { node, column, isFlow }: Collection, end: number): Generator<Insertion> {
  const { comment, commentAfter } = node as Comments
  const isAtLineStart = text[end - 1] === '\n'
  if (comment !== undefined && isFlow) yield { offset: text.indexOf('\n', end), text: comment }
  if (commentAfter !== undefined) {
    const offset = isAtLineStart ? end : text.indexOf('\n', end) + 1
    yield { offset, text: asLines(commentAfter.trimEnd(), ' '.repeat(column)) }
  }
}

function inserted(text: string, insertions: readonly Insertion[]): string {
  const parts: string[] = []
  let at = 0
  for (const { offset, text: comment } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    parts.push(text.slice(at, offset), comment)
    at = offset
  }
  return [...parts, text.slice(at)].join('')
}

/** Indents lines of comments; empty lines stay empty. */
function asLines(comments: string, indent: string): string {
  return `${comments}\n`.replace(/^(?=.)/gm, indent)
}
