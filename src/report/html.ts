import type { RunReader } from '../model/run-reader.ts'
import { dataBlock } from './html/data-block.ts'
import { PAGE_END, PAGE_START } from './html/document.ts'
import { MOST_TESTS, testsThatMatter } from './html/most-tests.ts'
import { overviewOf } from './html/overview.ts'
import { Rows } from './html/rows.ts'
import { outcomeOf } from './outcome.ts'
import type { Reporter } from './reporter.ts'
import { testsOfRun } from './tests-of-run.ts'

export const html: Reporter = {
  type: 'html',
  summary: 'A page to look at, in one file: tests to sort, search, filter and open.',
  ending: '.html',
  render: run => [{ text: documentOf(run) }],
}

/** A block for each test, which the page reads when somebody opens it; behind them what it shows at once. */
function* documentOf(run: RunReader): Generator<string> {
  const outcome = outcomeOf(run)
  const tests = testsOfRun(run, outcome)
  const rows = new Rows()
  yield PAGE_START
  for (const [index, test] of testsThatMatter(tests, MOST_TESTS).entries()) {
    const results = test.attempts()
    rows.add(test.outcome, results)
    yield dataBlock(`test-${index}`, results)
  }
  yield dataBlock('run', { ...overviewOf(run, outcome), left_out: tests.length - rows.rows.length, ...rows.packed() })
  yield PAGE_END
}
