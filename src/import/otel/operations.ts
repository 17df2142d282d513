import { groupBy } from '../../lib/collections.ts'
import type { TraceSpan } from './read-spans.ts'

/** A span with the spans inside of it. */
export interface SpanNode {
  readonly span: TraceSpan
  readonly parent: SpanNode | undefined
  /** In order of their start. */
  readonly children: readonly SpanNode[]
}

const AGENTS: readonly unknown[] = ['invoke_agent', 'invoke_workflow']
const MODELS: readonly unknown[] = ['chat', 'generate_content', 'text_completion']

const isAgent = ({ span }: SpanNode) => AGENTS.includes(operationOf(span))
export const isModelCall = ({ span }: SpanNode) => MODELS.includes(operationOf(span))
export const isToolCall = ({ span }: SpanNode) => operationOf(span) === 'execute_tool'

/** The operation of a span; older instrumentations name it `llm.request.type`. */
function operationOf({ attributes }: TraceSpan): unknown {
  return attributes.get('gen_ai.operation.name') ?? OLDER_OPERATIONS[String(attributes.get('llm.request.type'))]
}

const OLDER_OPERATIONS: Readonly<Record<string, string>> = { chat: 'chat', completion: 'text_completion' }

/** The trees of each trace, by its id. A span whose parent is missing is a root. */
export function treesOf(spans: readonly TraceSpan[]): Map<string, SpanNode[]> {
  const traces = groupBy(spans, ({ traceId }) => traceId)
  return new Map([...traces].map(([traceId, all]) => [traceId, treesIn(all)]))
}

function treesIn(spans: readonly TraceSpan[]): SpanNode[] {
  const nodes = new Map(
    spans.map(span => [span.spanId, { span, parent: undefined as SpanNode | undefined, children: [] as SpanNode[] }]),
  )
  const roots: SpanNode[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const node = nodes.get(span.spanId)
    const parent = nodes.get(span.parentId ?? '')
    if (!node) continue
    if (parent && !isImpossible(parent, node)) {
      node.parent = parent
      parent.children.push(node)
    } else roots.push(node)
  }
  return roots
}

/** Whether a span cannot be a parent: it is below the other one, as in spans that name each other, or too deep. */
function isImpossible(parent: SpanNode, node: SpanNode): boolean {
  let depth = 0
  for (let each: SpanNode | undefined = parent; each; each = each.parent)
    if (each === node || ++depth > DEEPEST) return true
  return false
}

const DEEPEST = 500

/** The outermost agents of a trace; if there are none, its outermost spans with a call of a model below, or such a call. */
export function outermostOperations(roots: readonly SpanNode[]): SpanNode[] {
  const agents = roots.flatMap(root => outermost(root, isAgent))
  return agents.length > 0 ? agents : roots.filter(root => within(root, isModelCall).length > 0)
}

function outermost(node: SpanNode, matches: (node: SpanNode) => boolean): SpanNode[] {
  return matches(node) ? [node] : node.children.flatMap(child => outermost(child, matches))
}

/** The matching spans of an agent, itself included, without those of its subagents; in order of their start. */
export function within(node: SpanNode, matches: (node: SpanNode) => boolean): SpanNode[] {
  const inside = node.children.flatMap(child => (isAgent(child) ? [] : within(child, matches)))
  return [...(matches(node) ? [node] : []), ...inside].sort((a, b) => a.span.start - b.span.start)
}

/** The subagents of an agent, at any depth. */
export function subagentsOf(node: SpanNode): SpanNode[] {
  return node.children.flatMap(child => [...(isAgent(child) ? [child] : []), ...subagentsOf(child)])
}

/** An attribute of a span or of the nearest span around it. */
export function nearestAttribute(node: SpanNode, name: string): unknown {
  for (let each: SpanNode | undefined = node; each; each = each.parent) {
    const value = each.span.attributes.get(name)
    if (value !== undefined) return value
  }
  return undefined
}
