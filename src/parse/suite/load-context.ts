import type { EvaluatorLookup } from '../../evaluators/lookup.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import type { JudgeFiles } from './judge-files.ts'
import type { OtherFormatFile } from './other-formats.ts'
import type { RecentChecks } from './recent-checks.ts'

/** Context for context suites. */
export interface LoadContext {
  readonly files: Files
  readonly diagnostics: Diagnostics
  readonly lookup: EvaluatorLookup
  /** Whether suites are only converted: an ungraded test is then a warning. */
  readonly isConversion?: boolean | undefined
  /** Whether plugin evals run only on the targets that are given, without their control arm. */
  readonly is_single_arm?: boolean | undefined
  /** The day by which quarantines expire; undefined: an expired one is accepted. */
  readonly today: string | undefined
  /** Collects the suites of other formats. */
  readonly otherFormats: OtherFormatFile[]
}

/** Context for context one suite. */
export interface SuiteContext extends LoadContext {
  readonly judges: JudgeFiles
  readonly recent: RecentChecks
  /** Pending checks of files. */
  readonly pending: Promise<void>[]
}
