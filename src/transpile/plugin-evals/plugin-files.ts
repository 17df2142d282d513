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
  const names = new UniqueNames(RESERVED)
  const shared = sharedServers(suite)
  const mocks = mockFiles(shared, 'mocks', mark)
  const cases = suite.tests.map(test => {
    const name = names.take(test.id, 'case')
    return caseFiles(test, name, { suite, folder, mark, shared })
  })
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
