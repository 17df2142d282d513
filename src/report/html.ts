import type { RunReader } from '../model/run-reader.ts'
import { overviewOf } from './html/overview-data.ts'
import { RowPacker } from './html/packed-rows.ts'
import type { PageData } from './html/page-data.ts'
import { contentPolicy, dataBlock, documentEnd, documentStart } from './html/page-document.ts'
import { pageTests } from './html/page-tests.ts'
import type { ViewImage } from './html/view-data.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import { allTests } from './outcome/marked-tests.ts'
import { runTests } from './outcome/run-tests.ts'
import type { Reporter, ReportImage, ReportOptions } from './reporter.ts'

export const html: Reporter = {
  type: 'html',
  summary: 'A page to look at, in one file: tests to sort, search, filter and open.',
  accepts_by: true,
  accepts_against: true,
  render: (run, options) => [{ text: documentOf(run, options) }],
}

/** Writes a data block per test, read when the test is opened, and one that the page shows first. */
function* documentOf(run: RunReader, options: ReportOptions = {}): Generator<string> {
  const outcome = correctedOutcome(run, options.calibrations)
  const tests = runTests(run, { tests: allTests(outcome) })
  const shown = pageTests(tests)
  const packer = new RowPacker()
  const rows: PageData['rows'][number][] = []
  yield documentStart({ policy: POLICY, title: 'Assay report' })
  for (const [index, test] of shown.entries()) {
    const results = test.attempts()
    rows.push(packer.rowOf(test.outcome, results))
    yield dataBlock(`test-${index}`, results)
  }
  for (const [hash, image] of options.images ?? [])
    if (HASH.test(hash)) yield dataBlock(`image-${hash}`, viewImage(image))
  const left_out = tests.length - shown.length
  const data: PageData = { ...overviewOf(run, outcome, options), left_out, ...packer.tables, rows }
  yield dataBlock('run', data)
  yield* documentEnd()
}

/** Nothing else of a record becomes part of an id. */
const HASH = /^[0-9a-f]{64}$/

function viewImage(image: ReportImage): ViewImage {
  if ('problem' in image) return image
  return { src: `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}` }
}

/** Nothing is fetched or sent. */
const POLICY = contentPolicy({ images: 'data:' })
