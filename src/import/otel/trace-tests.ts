import { deepEqual } from '../../lib/objects.ts'
import type { Answer } from '../../model/answer.ts'
import { answerSchema } from '../../model/answer.ts'
import type { ImportedTest } from '../format.ts'
import type { ImportNotes } from '../import-notes.ts'
import { answerOf } from './operation-answer.ts'
import { nearestAttribute, outermostOperations, type SpanNode, treesOf } from './operations.ts'
import type { TraceSpan } from './read-spans.ts'
import { type InputMessage, testInput } from './test-input.ts'
import { operationContent, transcriptOf } from './transcript.ts'

/** A test from a trace, with the answer that was recorded. */
export interface TraceTest {
  readonly id: string
  readonly input: readonly InputMessage[]
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  /** The agent that answered. */
  readonly target: string
  readonly trial: number
  readonly timestamp: string
  /** Undefined if the agent failed before it answered. */
  readonly answer: Answer | undefined
}

/** A test with the span that it was made from. */
interface FoundTest extends Pick<ImportedTest, 'at' | 'counted'> {
  readonly test: TraceTest
}

/** Makes a test of each trace of an agent. Notes traces that cannot be a test. */
export function traceTests(spans: readonly TraceSpan[], notes: ImportNotes): FoundTest[] {
  const ids = new TestIds()
  return [...treesOf(spans)].flatMap(([traceId, roots]) => {
    const operations = outermostOperations(roots)
    const [root] = roots
    // The span of a run is not about an agent.
    if (operations.length === 0 && root && !isRun(root))
      notes.leftOut(root.span.at, 'a trace without a span of an agent or a model (`gen_ai.operation.name`)')
    return operations.flatMap((node, index) =>
      traceTest(node, `${traceId}${index === 0 ? '' : `-${index + 1}`}`, ids, notes),
    )
  })
}

function isRun({ span }: SpanNode): boolean {
  return span.attributes.has('assay.run.id')
}

function traceTest(node: SpanNode, ownId: string, ids: TestIds, notes: ImportNotes): FoundTest[] {
  const { span } = node
  const mark = notes.mark()
  const { input: asked, output } = operationContent(node)
  if (!asked) {
    notes.leaveTestOut(span.at, 'a trace without the messages of the user: let the agent record its content')
    return []
  }
  const input = testInput(asked)
  if (!input) {
    notes.leaveTestOut(span.at, 'a trace whose input has files, images or other parts that are not in it as text')
    return []
  }
  const answer = output && answerOf(node, transcriptOf(node, output, notes))
  if (!answer && span.error === undefined) {
    notes.leaveTestOut(span.at, 'a trace without an answer: let the agent record its content')
    return []
  }
  const checked = answer && answerSchema().safeParse(answer)
  if (checked && !checked.success) {
    notes.leaveTestOut(span.at, 'a trace whose answer cannot be recorded, such as one that is nested too deeply')
    return []
  }
  if (!answer) notes.approximated(span.at, 'a trace that failed without an answer: its test is an error in every run')
  if (span.attributes.has('gen_ai.system_instructions'))
    notes.approximated(span.at, 'the system instructions are part of the agent, not of the test')
  const counted = notes.countTests(mark)
  return [{ test: testOf(node, { ownId, ids, input, answer: checked?.data }), at: span.at, counted }]
}

interface TestParts {
  readonly ownId: string
  readonly ids: TestIds
  readonly input: readonly InputMessage[]
  readonly answer: Answer | undefined
}

function testOf(node: SpanNode, { ownId, ids, input, answer }: TestParts): TraceTest {
  const { span } = node
  const text = (name: string) => {
    const value = nearestAttribute(node, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const service = span.resource.get('service.name')
  const target = text('assay.target') ?? text('gen_ai.agent.name') ?? (typeof service === 'string' ? service : 'agent')
  const tags = nearestAttribute(node, 'assay.tags')
  const trial = nearestAttribute(node, 'assay.trial')
  const conversation = text('gen_ai.conversation.id')
  const attempt = { target, trial: typeof trial === 'number' && trial >= 1 ? trial : 1 }
  return {
    ...attempt,
    id: ids.take(text('test.case.name'), ownId, input, attempt),
    input,
    tags: [...(Array.isArray(tags) ? tags.map(String) : []), ...(span.error === undefined ? [] : ['error'])],
    metadata: { trace_id: span.traceId, span_id: span.spanId, ...(conversation === undefined ? {} : { conversation }) },
    // biome-ignore lint/style/noRestrictedGlobals: this formats a time that is given, not the clock
    timestamp: new Date(span.start).toISOString(),
    answer,
  }
}

/** Gives each test its id: the name that its trace has, unless that is taken by another input, or the id of the trace. */
class TestIds {
  readonly #inputs = new Map<string, readonly InputMessage[]>()
  readonly #attempts = new Set<string>()

  take(name: string | undefined, ownId: string, input: readonly InputMessage[], attempt: object): string {
    const key = JSON.stringify([name, attempt])
    const known = name === undefined ? undefined : this.#inputs.get(name)
    if (name === undefined || (known && !deepEqual(known, input)) || this.#attempts.has(key)) return ownId
    this.#inputs.set(name, input)
    this.#attempts.add(key)
    return name
  }
}
