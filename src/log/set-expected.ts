import type { MappingNode } from 'js-yaml'
import { NoLog } from './no-log.ts'
import { TURN_KEYS } from './turn-keys.ts'
import { isMappingNode, isSequence, nodeOf, setValue, valueAt } from './yaml-nodes.ts'

/** Writes into a log what a turn, from 1, is expected to answer. */
export function setExpected(log: MappingNode, turn: number, text: string): void {
  const turns = valueAt(log, 'turns')
  const found = isSequence(turns) ? turns.items.filter(isMappingNode)[turn - 1] : undefined
  if (!found) throw new NoLog(`The log has no turn ${turn} any more.`)
  setValue(found, 'expected', nodeOf(text), TURN_KEYS)
}
