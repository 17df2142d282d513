import type { EvaluatorLookup } from '../../evaluators/lookup.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import type { JudgeFiles } from './judge-files.ts'
import type { OtherFormatFile } from './other-formats.ts'

/** What all suites of one loading share. */
export interface LoadContext {
  readonly files: Files
  readonly mistakes: Diagnostics
  readonly lookup: EvaluatorLookup
  /** Whether suites are only converted, so that a test that nothing grades is a warning. */
  readonly isConversion?: boolean | undefined
  /** Files that are suites of other formats, as they are found. */
  readonly otherFormats: OtherFormatFile[]
}

/** What the steps of loading one suite share. */
export interface SuiteContext extends LoadContext {
  readonly judges: JudgeFiles
  /** Looks at files, which may finish in any order before the suite is done. */
  readonly pending: Promise<void>[]
}
