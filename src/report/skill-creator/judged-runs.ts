import type { Result } from '../../model/result.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { Asked } from '../reporter.ts'
import { type Configuration, configurationsOf } from './configurations.ts'
import { type EvalFolder, EvalFolders } from './eval-folders.ts'
import { type Expectation, expectationsOf } from './expectations.ts'

/** An attempt, and where it belongs. */
export interface JudgedRun {
  readonly result: Result
  readonly folder: EvalFolder
  readonly configuration: Configuration
  /** None where nothing was judged. */
  readonly expectations: readonly Expectation[]
}

/** The attempts of the targets that are compared, in the order of the plan. What could not be judged is no score of 0. */
export function* judgedRuns(run: RunReader, asked: Asked): Generator<JudgedRun> {
  const configurations = configurationsOf(run, asked)
  const folders = new EvalFolders(run)
  for (const result of run.results()) {
    const configuration = configurations.get(result.target)
    if (!configuration) continue
    const expectations = result.verdict === 'error' ? [] : expectationsOf(result.evaluator_results)
    yield { result, folder: folders.of(result), configuration, expectations }
  }
}
