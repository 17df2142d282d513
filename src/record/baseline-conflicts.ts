import { groupBy } from '../lib/collections.ts'
import { parseJson } from '../lib/json/parse-json.ts'
import { type Baseline, type BaselineTest, baselineSchema, baselineTestSchema } from '../model/baseline.ts'
import { testKey } from '../model/run-reader.ts'

/** A baseline with conflict markers of git. */
export interface ConflictedBaseline extends Pick<Baseline, 'targets' | 'files'> {
  /** Tests that both branches have alike. */
  readonly merged: readonly BaselineTest[]
  /** Tests that the branches have differently, or only one of them has. */
  readonly conflicting: readonly BaselineTest[]
}

/** Reads a baseline that git could not merge, line by line. Targets and files only give reasons: either branch will do. */
export function conflictedBaseline(text: string): ConflictedBaseline {
  const merged: BaselineTest[] = []
  const inConflict: BaselineTest[] = []
  const targets: Baseline['targets'] = []
  const files = new Map<string, string>()
  let part: 'merged' | 'branch' | 'base' = 'merged'
  const { targets: targetsSchema, files: filesSchema } = baselineSchema().shape
  for (const line of text.split(/\r?\n/)) {
    part = partAfter(line) ?? part
    if (part === 'base') continue
    const value = parseJson(line)
    const test = baselineTestSchema().safeParse(value).data
    if (test) (part === 'merged' ? merged : inConflict).push(test)
    targets.push(...(targetsSchema.safeParse([value]).data ?? []))
    for (const [file, hash] of Object.entries(filesSchema.safeParse(parseJson(`{${line}}`)).data ?? {}))
      files.set(file, hash)
  }
  return { ...splitTests(merged, inConflict), targets, files: Object.fromEntries(files) }
}

/** The part that begins with a marker. */
function partAfter(line: string): 'merged' | 'branch' | 'base' | undefined {
  const marker = line.slice(0, 7)
  if (marker === '<<<<<<<' || marker === '=======') return 'branch'
  if (marker === '|||||||') return 'base'
  return marker === '>>>>>>>' ? 'merged' : undefined
}

function splitTests(
  merged: readonly BaselineTest[],
  inConflict: readonly BaselineTest[],
): Pick<ConflictedBaseline, 'merged' | 'conflicting'> {
  const groups = [...groupBy(inConflict, testKey).values()]
  const areAlike = (group: readonly BaselineTest[]) =>
    group.length === 2 && new Set(group.map(test => JSON.stringify(test))).size === 1
  return {
    merged: [...merged, ...groups.filter(areAlike).map(([test]) => test)],
    conflicting: groups.filter(group => !areAlike(group)).map(([test]) => test),
  }
}
