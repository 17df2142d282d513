import { slug } from '../../lib/paths.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { ReportOptions } from '../reporter.ts'
import { type EvalRun, evalRuns } from '../skill-creator/eval-runs.ts'

/** Names of the folders of the two sides: a baseline that has a skill itself is an older version of it. */
export type GuideSide = 'with_skill' | 'without_skill' | 'old_skill'

/** The first attempt at a test on a target, which is all that the layout has room for. */
export interface GuideRun {
  readonly judged: EvalRun
  readonly side: GuideSide
  /** `eval-top-months/with_skill`. */
  readonly folder: string
}

export interface GuideRuns {
  readonly written: readonly GuideRun[]
  /** First attempts without a grade. */
  readonly ungraded: readonly EvalRun[]
  /** Number of further attempts. */
  readonly more: number
}

/** The attempts that the layout of the guide can show, and the others. */
export function guideRuns(run: RunReader, options: ReportOptions): GuideRuns {
  const names = new FolderNames()
  const seen = new Set<string>()
  const written: GuideRun[] = []
  const ungraded: EvalRun[] = []
  let more = 0
  for (const judged of evalRuns(run, options)) {
    const side = sideOf(judged, run)
    const folder = `${names.of(judged)}/${side}`
    if (seen.has(folder)) more++
    else if (judged.expectations.length === 0) ungraded.push(judged)
    else written.push({ judged, side, folder })
    seen.add(folder)
  }
  return { written, ungraded, more }
}

function sideOf({ configuration, result: { target } }: EvalRun, { info }: RunReader): GuideSide {
  if (configuration === 'with_skill') return configuration
  const fields = info?.targets.find(({ name }) => name === target)
  const hasSkills = [fields?.['skills'], fields?.['plugins']].some(list => Array.isArray(list) && list.length > 0)
  return hasSkills ? 'old_skill' : 'without_skill'
}

const MAX_SLUG_LENGTH = 50

/** Names of folders after the ids of tests, each for one test. */
class FolderNames {
  readonly #names = new Map<number, string>()
  readonly #taken = new Set<string>()

  of({ folder: { id }, result: { test_id } }: EvalRun): string {
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const base = `eval-${slug(test_id, MAX_SLUG_LENGTH) || 'test'}`
    let name = base
    for (let number = 2; this.#taken.has(name); number++) name = `${base}-${number}`
    this.#taken.add(name)
    this.#names.set(id, name)
    return name
  }
}
