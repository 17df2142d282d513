// Writes the report as a comment on the pull request, or replaces the comment of an earlier run. A comment that cannot be
// written is a warning: it never fails the job, and the summary has the same report.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, githubApi } from './github-api.mjs'
import { jobComment } from './job-comment.mjs'
import { truncateMarkdown } from './truncate-markdown.mjs'

/** GitHub accepts 65,536 characters. */
const MAX_LENGTH = 65_000
const INSTEAD = 'The summary of the job has the report.'

const { env } = process
const runUrl = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
const event = readEvent()
const number = event.pull_request?.number ?? (event.issue?.pull_request && event.issue.number)

if (!Number.isInteger(number)) console.log(`No comment: this is not a pull request. ${INSTEAD}`)
else if (!env.TOKEN) warn(`No comment: the input \`token\` is empty. ${INSTEAD}`)
else await writeComment().catch(error => warn(`No comment: ${reasonOf(error)}. ${INSTEAD}`))

function readEvent() {
  try {
    return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) ?? {}
  } catch {
    return {}
  }
}

async function writeComment() {
  const timeoutMs = Number(env.ASSAY_API_TIMEOUT_MS || 10_000)
  const { head, write } = jobComment({
    request: githubApi({ token: env.TOKEN, timeoutMs }),
    graphql: env.GITHUB_GRAPHQL_URL,
    issues: `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/issues`,
    number,
    name: env.NAME,
    run: [Number(env.GITHUB_RUN_ID), Number(env.GITHUB_RUN_ATTEMPT)],
  })
  const notice = `**The report is cut here**: it is too long for a comment. The artifact of [this run](${runUrl}) has all of it.`
  const report = readFileSync(join(env.REPORT, 'report.md'), 'utf8')
  const end = `\n\n${footer()}\n`
  const text = truncateMarkdown(report.trimEnd(), MAX_LENGTH - head.length - end.length, notice)
  console.log(await write(head + text.trimEnd() + end))
}

/** Names the commit: the comment of an earlier one must not pass for the result of the newest. */
function footer() {
  const commit = event.pull_request?.head?.sha ?? env.GITHUB_SHA
  return `<sub>\`${env.NAME.replaceAll('`', '')}\`, commit ${commit}, [run ${env.GITHUB_RUN_NUMBER}](${runUrl})</sub>`
}

function reasonOf(error) {
  if (!(error instanceof ApiError) || ![401, 403, 404].includes(error.status)) return error.message
  const isFork = event.pull_request && event.pull_request.head?.repo?.full_name !== env.GITHUB_REPOSITORY
  const advice = isFork
    ? 'the token of a pull request from a fork is read-only'
    : 'give the job `permissions: pull-requests: write`'
  return `${error.message}; ${advice}`
}

/** Adds a warning to the annotations of the run. */
function warn(message) {
  // A line break would end the command, and the next line could be another one.
  const text = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::warning title=Assay::${text}`)
}
