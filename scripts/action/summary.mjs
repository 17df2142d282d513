// Appends the report to the summary of the job.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { truncateMarkdown } from './truncate-markdown.mjs'

/** GitHub discards a summary of more than 1 MiB; a UTF-16 code unit has at most 3 bytes of UTF-8. */
const MAX_LENGTH = 340_000

const { REPORT, GITHUB_STEP_SUMMARY } = process.env
const notice = '**The report is cut here**: it is too long for a summary. The artifact of this run has all of it.'
const report = truncateMarkdown(readFileSync(join(REPORT, 'report.md'), 'utf8'), MAX_LENGTH, notice)
if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, `${report.trimEnd()}\n`)
