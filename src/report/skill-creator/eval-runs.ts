import { compositeKey } from '../../lib/collections.ts'
import { slug } from '../../lib/paths.ts'
import type { Result } from '../../model/result.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { comparedTargets } from '../compared-targets.ts'
import type { ReportOptions } from '../reporter.ts'
import { type Expectation, expectationsOf } from './expectations.ts'

/** An attempt with its folder and configuration. */
export interface EvalRun {
  readonly result: Result
  readonly folder: EvalFolder
  readonly configuration: Configuration
  /** Empty if nothing was judged. */
  readonly expectations: readonly Expectation[]
}

/** Yields the attempts of the compared targets in plan order; attempts without a grade have no expectations. */
export function* evalRuns(run: RunReader, options: ReportOptions): Generator<EvalRun> {
  const configurations = configurationsOf(run, options)
  const folders = new EvalFolders(run)
  for (const result of run.results()) {
    const configuration = configurations.get(result.target)
    // Tests in quarantine count in no figure.
    if (!configuration || result.quarantine) continue
    const expectations = result.verdict === 'error' ? [] : expectationsOf(result.evaluator_results)
    yield { result, folder: folders.of(result), configuration, expectations }
  }
}

/** Folder names of the two sides: the aggregator compares the first with the second. */
const CONFIGURATIONS = ['with_skill', 'without_skill'] as const

export type Configuration = (typeof CONFIGURATIONS)[number]

/** Maps the requested targets, or those of the run, to configurations. */
export function configurationsOf(run: RunReader, options: ReportOptions): ReadonlyMap<string, Configuration> {
  const chosen = comparedTargets(run, options)
  return new Map(CONFIGURATIONS.flatMap((name, index) => (chosen[index] === undefined ? [] : [[chosen[index], name]])))
}

/** Maximum length of the test id in a folder name. */
const MAX_SLUG_LENGTH = 50

type TestName = Pick<ResultFacts, 'suite' | 'file' | 'test_id'>

interface EvalFolder {
  /** Position of the test in the plan, from 1. */
  readonly id: number
  /** Unique, because it contains the id. */
  readonly name: string
}

/** Assigns a folder to each test, shared by all targets. */
class EvalFolders {
  readonly #folders = new Map<string, EvalFolder>()

  constructor(run: RunReader) {
    for (const facts of run.facts()) {
      const id = this.#folders.size + 1
      if (!this.#folders.has(keyOf(facts)))
        this.#folders.set(keyOf(facts), { id, name: `eval-${id}-${slug(facts.test_id, MAX_SLUG_LENGTH) || 'test'}` })
    }
  }

  of(test: TestName): EvalFolder {
    const folder = this.#folders.get(keyOf(test))
    if (!folder) throw new Error(`no result of ${test.test_id} was counted`)
    return folder
  }
}

function keyOf({ suite, file, test_id }: TestName): string {
  return compositeKey(suite, file, test_id)
}
