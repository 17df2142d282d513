import { seededRandom } from '../../../lib/seeded-random.ts'
import { sha256 } from '../../../lib/sha256.ts'
import { quoteText } from '../../../lib/text/quote.ts'
import type { TuningQuery } from '../../../model/tuning.ts'
import { UserError } from '../../../model/user-error.ts'

/** A query as it is written in the file. */
export interface Query {
  readonly query: string
  readonly should_trigger: boolean
}

/** Queries without repetitions, and how many were left out. */
export interface DistinctQueries {
  readonly queries: readonly Query[]
  readonly repeated: number
}

/** Leaves out repeated queries: one in both parts would be trained on and decided by. Throws if two contradict. */
export function distinctQueries(all: readonly Query[]): DistinctQueries {
  const kept = new Map<string, Query>()
  for (const query of all) {
    const key = normalized(query.query)
    const before = kept.get(key)
    if (before && before.should_trigger !== query.should_trigger)
      throw new UserError(
        `The query ${quoteText(query.query)} should trigger the skill, and should not.`,
        'Remove one of the two.',
      )
    if (!before) kept.set(key, query)
  }
  return { queries: [...kept.values()], repeated: all.length - kept.size }
}

function normalized(query: string): string {
  return query.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The seed that follows from the queries: to run again does not draw other parts. */
export function seedOf(queries: readonly Query[]): number {
  const texts = queries.map(({ query }) => normalized(query)).sort()
  return Number.parseInt(sha256(JSON.stringify(texts)).slice(0, 8), 16)
}

/** Divides queries at random, each kind in the same proportion. Throws if a part would lack a kind. */
export function splitQueries(queries: readonly Query[], heldOut: number, seed: number): TuningQuery[] {
  const random = seededRandom(seed)
  const numbered = queries.map((query, index) => ({ ...query, id: index + 1 }))
  const held = new Set<number>()
  for (const kind of [true, false]) {
    const members = numbered.filter(({ should_trigger }) => should_trigger === kind)
    if (members.length < 2) throw tooFew(members.length, kind)
    const count = Math.min(members.length - 1, Math.max(1, Math.round(members.length * heldOut)))
    const drawn = members.map(({ id }) => ({ id, at: random() })).sort((a, b) => a.at - b.at || a.id - b.id)
    for (const { id } of drawn.slice(0, count)) held.add(id)
  }
  return numbered.map(query => ({ ...query, part: held.has(query.id) ? 'held-out' : 'training' }))
}

function tooFew(count: number, kind: boolean): UserError {
  const what = `that ${kind ? 'should' : 'should not'} trigger the skill`
  const effect = kind ? 'never triggers' : 'always triggers'
  return new UserError(
    `There is ${count === 0 ? 'no query' : 'only one query'} ${what}: a description that ${effect} would win.`,
    'Write at least two queries of each kind; ten or more of each make a decision likely.',
  )
}
