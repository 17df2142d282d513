import { shellWords } from '../../../lib/text/shell.ts'
import type { PageData } from '../../../report/html/page-data.ts'
import type { Row } from '../../rows.ts'

/** The command that runs a test on its target again. */
export function rerunCommand(row: Row, data: Pick<PageData, 'suite_files'>): string {
  const files = data.suite_files.filter(({ name }) => name === row.suite).map(({ file }) => file)
  // A test may be in another file than its suite, and two suites may have one name.
  const suite = files.length === 1 ? files : files.filter(file => file === row.file)
  return shellWords('assay', 'eval', ...suite, '--test-id', row.test_id, '--target', row.target)
}
