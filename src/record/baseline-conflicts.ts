import { groupBy } from '../lib/collections.ts'
import { parseJson } from '../lib/json/parse-json.ts'
import { type BaselineTest, baselineTestSchema } from '../model/baseline.ts'
import { testKey } from '../model/run-reader.ts'

/** The tests of a baseline with conflict markers of git. */
export interface ConflictedTests {
  /** Tests that both branches have alike. */
  readonly merged: readonly BaselineTest[]
  /** Tests that the branches have differently, or only one of them has. */
  readonly conflicting: readonly BaselineTest[]
}

/** Reads the tests of a baseline that git could not merge, line by line. */
export function conflictedTests(text: string): ConflictedTests {
  const merged: BaselineTest[] = []
  const inConflict: BaselineTest[] = []
  let part: 'merged' | 'branch' | 'base' = 'merged'
  for (const line of text.split(/\r?\n/)) {
    const marker = line.slice(0, 7)
    if (marker === '<<<<<<<' || marker === '=======') part = 'branch'
    else if (marker === '|||||||') part = 'base'
    else if (marker === '>>>>>>>') part = 'merged'
    const test = part === 'base' ? undefined : baselineTestSchema.safeParse(parseJson(line)).data
    if (test) (part === 'merged' ? merged : inConflict).push(test)
  }
  const groups = [...groupBy(inConflict, testKey).values()]
  const areAlike = (group: readonly BaselineTest[]) =>
    group.length === 2 && new Set(group.map(test => JSON.stringify(test))).size === 1
  return {
    merged: [...merged, ...groups.filter(areAlike).map(([test]) => test)],
    conflicting: groups.filter(group => !areAlike(group)).map(([test]) => test),
  }
}
