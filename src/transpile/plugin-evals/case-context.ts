import type { MockServers } from '../../model/mock.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { TranspiledFile } from '../transpiled-file.ts'
import type { Mark } from './marked-text.ts'

/** What all cases of a suite share. */
export interface CaseContext {
  readonly suite: Suite
  /** Folder of the evals, as an absolute path. */
  readonly folder: string
  readonly mark: Mark
  /** Mocked servers of all cases. */
  readonly shared: MockServers
}

/** A test as a case of plugin evals. */
export interface Case {
  readonly test: Test
  /** Empty if no grader can express a check of the test. */
  readonly files: readonly TranspiledFile[]
  readonly graders: number
  readonly issues: readonly TranspileIssue[]
}
