import type { Attempt } from '../model/attempt.ts'
import type { Target } from '../model/target.ts'

/** One attempt, or the attempts of a conversation, which run in sequence. */
export type Unit = Attempt | Attempt[]

export function attemptsOf(unit: Unit): readonly Attempt[] {
  return 'id' in unit ? [unit] : unit
}

/** The units of each target, in order. Suites with the same targets file share its targets. */
export function unitsByTarget(attempts: readonly Attempt[]): readonly TargetUnits[] {
  const targets = new Map<string, { target: Target; units: Unit[] }>()
  const conversations = new Map<string, Attempt[]>()
  const add = (target: Target, unit: Unit) => {
    const key = targetKey(target)
    const known = targets.get(key)
    if (known) known.units.push(unit)
    else targets.set(key, { target, units: [unit] })
  }
  for (const attempt of attempts) {
    const key = conversationOf(attempt)
    const begun = key === undefined ? undefined : conversations.get(key)
    if (key === undefined) add(attempt.target, attempt)
    else if (begun) begun.push(attempt)
    else {
      const conversation = [attempt]
      conversations.set(key, conversation)
      add(attempt.target, conversation)
    }
  }
  for (const conversation of conversations.values()) conversation.sort((a, b) => a.trial - b.trial || a.index - b.index)
  return [...targets.values()]
}

export interface TargetUnits {
  readonly target: Target
  readonly units: readonly Unit[]
}

const keys = new WeakMap<Target, string>()

function targetKey(target: Target): string {
  let key = keys.get(target)
  if (key === undefined) {
    key = JSON.stringify([target.at.file, target.name])
    keys.set(target, key)
  }
  return key
}

/** Part `index` of `of` parts of a plan, from 1. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** The attempts of a shard: every `of`-th test, on all its targets. A conversation counts as one test. */
export function attemptsInShard(attempts: readonly Attempt[], { index, of }: Shard): Attempt[] {
  const positions = new Map<unknown, number>()
  return attempts.filter(attempt => {
    const { suite, test } = attempt
    const unit = test.conversation_id === undefined ? test : JSON.stringify([suite.name, test.conversation_id])
    const position = positions.get(unit) ?? positions.size
    positions.set(unit, position)
    return position % of === index - 1
  })
}

/** The key of the conversation of an attempt; undefined for a single attempt. */
export function conversationOf({ suite, test, target }: Attempt): string | undefined {
  if (test.conversation_id === undefined) return undefined
  return JSON.stringify([suite.name, test.conversation_id, target.name])
}
