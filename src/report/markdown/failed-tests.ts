import { printableLine } from '../../lib/text/escape.ts'
import { truncate } from '../../lib/text/quote.ts'
import { armName } from '../../model/result.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { changesLine } from '../changes-text.ts'
import { countsOf } from '../outcome/run-outcome.ts'
import type { RunTest } from '../outcome/run-tests.ts'
import { lineUrl } from '../provenance.ts'
import { allReasons } from '../reasons.ts'
import { markdownText } from './markdown-text.ts'
import { limitedLines } from './within-limit.ts'

/** Maximum number of tests that are listed. */
const MAX_TESTS = 20

/** Maximum number of reasons per test. */
const MAX_REASONS = 5

const LONGEST_NAME = 200

/** A list of tests that did not pass, with their reasons and links to their lines. */
export function failedTests(tests: readonly RunTest[], info: RunInfo | undefined): string {
  if (tests.length === 0) return ''
  const lines = tests.slice(0, MAX_TESTS).map(test => failedTest(test, info))
  const list = limitedLines(lines, tests.length, left => `- and ${left} more: ${verdictsText(tests.slice(-left))}\n`)
  return `\n${list}`
}

function failedTest({ outcome, attempts }: RunTest, info: RunInfo | undefined): string {
  const { verdict, test_id, target, is_control, file, line } = outcome
  const results = attempts().filter(({ verdict }) => verdict !== 'pass')
  const why = whyText([...allReasons(verdict, results), ...results.slice(0, 1).flatMap(changesLine)])
  const name = `${nameMarkdown(test_id)} on ${nameMarkdown(armName(target, is_control))}`
  return `- **${verdict}** ${name} (${locationMarkdown(file, line, info)}): ${markdownText(why)}\n`
}

function nameMarkdown(name: string): string {
  return markdownText(truncate(name, LONGEST_NAME))
}

/** `EVAL.yaml:12`, as a link to the line at the commit of the run where its page is known. */
export function locationMarkdown(file: string, line: number, info: RunInfo | undefined): string {
  const text = markdownText(truncate(`${file}:${line}`, LONGEST_NAME))
  const url = lineUrl(info, file, line)
  return url === undefined ? text : `[${text}](${url})`
}

/** `2 error, 3 fail`. */
function verdictsText(tests: readonly RunTest[]): string {
  const { error, fail, borderline } = countsOf(tests.map(({ outcome }) => outcome))
  const counts = Object.entries({ error, fail, borderline }).filter(([, count]) => count > 0)
  return counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')
}

/** Joins the first reasons, truncated: `too↵long; late; and 2 more`. */
export function whyText(reasons: readonly string[]): string {
  const listed = reasons.slice(0, MAX_REASONS).map(reason => truncate(printableLine(reason.trim()), 200))
  const more = reasons.length - listed.length
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
