import { script, script_hash, style, style_hash } from 'assay:view-page'
import { INLINE_COMMAND } from '../lib/text/escape.ts'
import { unicodeEscape } from '../lib/text/unicode.ts'
import type { RunReader } from '../model/run-reader.ts'
import { overviewOf } from './html/overview-data.ts'
import { RowPacker } from './html/packed-rows.ts'
import { urgencyOf } from './html/page-data.ts'
import type { ViewImage } from './html/view-data.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import { allTests, standingOf } from './outcome/marked-tests.ts'
import { type RunTest, runTests } from './outcome/run-tests.ts'
import type { Reporter, ReportImage, ReportOptions } from './reporter.ts'

export const html: Reporter = {
  type: 'html',
  summary: 'A page to look at, in one file: tests to sort, search, filter and open.',
  shows_images: true,
  accepts_by: true,
  accepts_against: true,
  render: (run, options) => [{ text: documentOf(run, options) }],
}

/** Writes a data block per test, read when the test is opened, and one that the page shows first. */
function* documentOf(run: RunReader, options: ReportOptions = {}): Generator<string> {
  const outcome = correctedOutcome(run, options.calibrations)
  const tests = runTests(run, { tests: allTests(outcome) })
  const rows = new RowPacker()
  yield PAGE_START
  for (const [index, test] of mostUrgentTests(tests, MAX_TESTS).entries()) {
    const results = test.attempts()
    rows.add(test.outcome, results)
    yield dataBlock(`test-${index}`, results)
  }
  for (const [hash, image] of options.images ?? [])
    if (HASH.test(hash)) yield dataBlock(`image-${hash}`, viewImage(image))
  yield dataBlock('run', {
    ...overviewOf(run, outcome, options),
    left_out: tests.length - rows.rows.length,
    ...rows.packed(),
  })
  for (let at = 0; at < PAGE_END.length; at += CHUNK) yield PAGE_END.slice(at, at + CHUNK)
}

/** Nothing else of a record becomes part of an id. */
const HASH = /^[0-9a-f]{64}$/

function viewImage(image: ReportImage): ViewImage {
  if ('problem' in image) return image
  return { src: `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}` }
}

/** Embeds JSON so that it cannot end the element, start a comment or control a terminal. */
function dataBlock(id: string, data: unknown): string {
  const json = JSON.stringify(data).replace(UNSAFE, unicodeEscape).replace(INLINE_COMMAND, unicodeEscape)
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

const UNSAFE = /[<>&\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Only our own code runs; nothing is fetched or sent. */
const POLICY = [
  "default-src 'none'",
  `script-src '${script_hash}'`,
  `style-src '${style_hash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The document before the data; it contains nothing from the records. */
const PAGE_START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Assay report</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This report needs JavaScript, which is turned off. The code is part of this file; nothing is downloaded.</noscript></div>
`

const PAGE_END = `<script>${script}</script>
</body>
</html>
`

/** Characters that are written at once. The code of the page is ASCII. */
const CHUNK = 65_536

/** Maximum number of tests on a page; larger files are slow to open. */
const MAX_TESTS = 10_000

/** Keeps the most urgent tests, in their original order. */
function mostUrgentTests(tests: readonly RunTest[], most: number): readonly RunTest[] {
  if (tests.length <= most) return tests
  const ranked = tests.map(({ outcome }, index) => ({
    index,
    rank: urgencyOf({ ...outcome, standing: standingOf(outcome) }),
  }))
  ranked.sort((a, b) => a.rank - b.rank || a.index - b.index)
  const kept = new Set(ranked.slice(0, most).map(({ index }) => index))
  return tests.filter((_, index) => kept.has(index))
}
