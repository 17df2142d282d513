import type { Result } from '../../model/result.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { UserError } from '../../model/user-error.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { testIdentity } from '../test-identity.ts'

/** The name of a slice; null for tests that have none. */
export type SliceName = string | null

/** The slices that a test is in: at least one. */
export type SliceNames = (test: TestOutcome) => readonly SliceName[]

/** What a run is sliced by. */
export interface SliceKey {
  /** As given: `tag`, `suite`, `target` or `metadata.KEY`. */
  readonly by: string
  /** Reads what it needs of a run once. */
  namesIn(run: RunReader): SliceNames
}

const METADATA = 'metadata.'

/** Whether runs can be sliced by this. */
export function isSliceKey(by: string): boolean {
  return ['tag', 'suite', 'target'].includes(by) || (by.startsWith(METADATA) && by.length > METADATA.length)
}

/** What `--by` names. */
export function sliceKey(by: string): SliceKey {
  if (!isSliceKey(by))
    throw new UserError(`Cannot slice by ${by}: use tag, suite, target, or metadata.KEY with a key of the metadata.`)
  if (by === 'suite') return { by, namesIn: () => test => [test.suite] }
  if (by === 'target') return { by, namesIn: () => test => [test.target] }
  if (by === 'tag') return { by, namesIn: run => recordedNames(run, ({ tags }) => tags) }
  const key = by.slice(METADATA.length)
  return { by, namesIn: run => recordedNames(run, ({ metadata }) => valueTexts(metadata, key)) }
}

/** The names from the results of a run; only these are kept, each once. */
function recordedNames(run: RunReader, namesOf: (result: Result) => readonly string[]): SliceNames {
  const names = new Map<string, readonly SliceName[]>()
  const lists = new Map<string, readonly string[]>()
  for (const result of run.results()) {
    const identity = testIdentity(result)
    if (names.has(identity)) continue
    const own = [...new Set(namesOf(result))]
    const key = JSON.stringify(own)
    const shared = lists.get(key) ?? own
    lists.set(key, shared)
    names.set(identity, shared.length === 0 ? NONE : shared)
  }
  return test => names.get(testIdentity(test)) ?? NONE
}

const NONE: readonly SliceName[] = [null]

/** A value in words; a list has several. */
function valueTexts(metadata: Readonly<Record<string, unknown>>, key: string): string[] {
  if (!Object.hasOwn(metadata, key)) return []
  return [metadata[key]]
    .flat()
    .filter(value => value !== null && value !== undefined)
    .map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
}
