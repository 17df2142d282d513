import type { MappingNode, Node, SequenceNode } from 'js-yaml'
import { parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import { LogError } from './log.ts'
import type { LoggedRun, LoggedTurn, Usage } from './logged-run.ts'
import { withCommentsOf, withoutComments } from './yaml-comments.ts'
import {
  entryAt,
  floatText,
  isMappingNode,
  isSequence,
  nodeOf,
  plainValue,
  setValue,
  takeEntry,
  valueAt,
} from './yaml-nodes.ts'

const LOG_KEYS = ['name', 'created', 'updated', 'runs', 'model', 'turns']

/** Keys of a turn that move into the history with a run; those of the second line come from other programs. */
const RUN_KEYS = [
  ...['run', 'output', 'tools_called', 'expected', 'evaluation', 'meta'],
  ...['pass', 'analysis', 'status', 'tokens', 'cost', 'ts'],
]

/** Adds a run to a log: the previous run moves into the history of each turn. Unknown keys stay in place. */
export function addRun(log: MappingNode, name: string, run: LoggedRun, number: number): void {
  const set = (key: string, value: Node) => setValue(log, key, value, LOG_KEYS)
  if (!valueAt(log, 'name')) set('name', nodeOf(name))
  if (!valueAt(log, 'created')) set('created', nodeOf(run.timestamp))
  set('updated', nodeOf(run.timestamp))
  set('runs', nodeOf(number))
  set('model', nodeOf(run.model))
  const written = valueAt(log, 'turns')
  const turns = isSequence(written) ? written.items.filter(isMappingNode) : []
  if (turns.length === 0) set('turns', nodeOf(run.turns.map(({ input }) => ({ input }))))
  const list = valueAt(log, 'turns') as SequenceNode
  for (const [index, turn] of list.items.filter(isMappingNode).entries()) {
    const made = run.turns[index]
    if (made) addTurnRun(turn, made, number, run.timestamp)
  }
}

function addTurnRun(turn: MappingNode, made: LoggedTurn, number: number, ts: string): void {
  const set = (key: string, value: Node) => setValue(turn, key, value, TURN_KEYS)
  const expected = valueAt(turn, 'expected')
  const hasExpected = expected !== undefined && (plainValue(expected) ?? '') !== ''
  const before = earlierRun(turn)
  const history = historyOf(turn)
  if (before) history.items.unshift(before)
  set('run', nodeOf(number))
  set('output', nodeOf(made.output))
  set('tools_called', nodeOf(made.tools_called))
  set('expected', hasExpected ? expected : nodeOf(made.expected))
  set('evaluation', nodeOf(made.evaluation))
  set('meta', nodeOf(metaText(made, ts)))
  set('history', history)
}

/**
 * Returns the current run of a turn as an entry of the history; undefined for a new turn. Comments on the run move with
 * it, those on `expected` stay.
 */
function earlierRun(turn: MappingNode): MappingNode | undefined {
  if (!RUN_KEYS.some(key => key !== 'expected' && valueAt(turn, key))) return undefined
  const items = RUN_KEYS.flatMap(key => {
    const entry = TURN_KEYS.includes(key) ? entryAt(turn, key) : takeEntry(turn, key)
    if (!entry) return []
    if (key === 'expected') return { key: nodeOf(key), value: withoutComments(entry.value) }
    const moved = { key: withCommentsOf(entry.key, nodeOf(key)), value: entry.value }
    Object.assign(entry, { key: withoutComments(entry.key), value: nodeOf(null) })
    return moved
  })
  return { ...(nodeOf({}) as MappingNode), items }
}

/** Returns the history as a list, also if it is a JSON string. An unreadable one is kept under another key. */
function historyOf(turn: MappingNode): SequenceNode {
  const written = valueAt(turn, 'history')
  if (isSequence(written)) return { ...written, style: blockStyle() }
  const said = plainValue(written)
  const list = typeof said === 'string' ? parseJson(said) : undefined
  if (Array.isArray(list)) return nodeOf(list) as SequenceNode
  if (written && said !== undefined && said !== '')
    setValue(turn, 'unread_history', written, [...TURN_KEYS, 'unread_history'])
  return nodeOf([]) as SequenceNode
}

const blockStyle = lazily(() => (nodeOf([0]) as SequenceNode).style)

/** Formats `meta` as JSON with the cost as a float, as other programs do. */
function metaText({ tokens, cost, duration_ms }: Usage, ts: string): string {
  const costText = cost === null ? 'null' : floatText(cost)
  return `{"tokens": ${tokens}, "cost": ${costText}, "duration_ms": ${duration_ms}, "ts": ${JSON.stringify(ts)}}`
}

/** Sets the expected answer of a turn; turns are numbered from 1. */
export function setExpected(log: MappingNode, turn: number, text: string): void {
  const turns = valueAt(log, 'turns')
  const found = isSequence(turns) ? turns.items.filter(isMappingNode)[turn - 1] : undefined
  if (!found) throw new LogError(`The log no longer has turn ${turn}.`)
  setValue(found, 'expected', nodeOf(text), TURN_KEYS)
}

/** The keys of a turn, in order. */
const TURN_KEYS: readonly string[] = [
  'input',
  'run',
  'output',
  'tools_called',
  'expected',
  'evaluation',
  'meta',
  'history',
]
