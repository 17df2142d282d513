import type { MockServers } from '../../model/mock.ts'
import type { Suite } from '../../model/suite.ts'
import { markIssues } from '../mark-issues.ts'
import { UniqueNames } from '../safe-name.ts'
import type { TranspileResult } from '../transpiled-file.ts'
import { caseFiles, HISTORY } from './case-files.ts'
import { hasMark, markOf } from './marked-text.ts'
import { mockFiles, sharedServers, TOOL_LIST } from './mock-files.ts'
import { suiteIssues } from './plugin-issues.ts'

/** Folders that are not cases. */
const RESERVED = ['mocks', 'results', 'mock-recordings', 'graders']

/** Converts a suite into the evals of a plugin: a folder for each test. */
export function pluginFiles(suite: Suite, folder: string): TranspileResult {
  const mark = markOf(suite, folder)
  const casesWith = (shared: MockServers) => {
    const names = new UniqueNames(RESERVED)
    return suite.tests.map(test => caseFiles(test, names.take(test.id, 'case'), { suite, folder, mark, shared }))
  }
  // A test that cannot be written does not decide what the others share.
  const isWritten = casesWith({}).map(({ files }) => files.length > 0)
  const shared = sharedServers(suite.tests.filter((_, index) => isWritten[index]))
  const mocks = mockFiles(shared, 'mocks', mark)
  const cases = casesWith(shared)
  return {
    // Mocks alone are no evals.
    files: cases.some(({ files }) => files.length > 0) ? [...mocks.files, ...cases.flatMap(({ files }) => files)] : [],
    issues: [
      ...suiteIssues(suite, cases, mocks.lost),
      ...cases.flatMap(({ issues }) => issues),
      ...markIssues(suite, 'plugin evals'),
    ],
    leftovers: { isOurs: text => hasMark(text, mark), companions: [HISTORY, TOOL_LIST] },
  }
}
