import { join } from 'node:path'
import { groupBy } from '../lib/collections.ts'
import { withoutNullish } from '../lib/objects.ts'
import { answerRecordSchema, NoAnswer } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import { requestId } from '../model/messages/recorded-messages.ts'
import { isAnswered, type RecordedError, type Recording, type Recordings } from '../model/recordings.ts'
import type { Result } from '../model/result.ts'
import { findRun, type RunFiles } from './find-run.ts'
import { readRecords } from './read-records.ts'
import { recordedResultSchema } from './recorded-result.ts'
import { SettledAnswers } from './result-index.ts'
import { RunError } from './run-error.ts'
import { readRunInfo } from './run-folder.ts'

/** Reads answers that are not stored as a run; undefined if the path has none. */
export type ReadOtherRecordings = (from: string, folder: string, host: Host) => Promise<Recordings | undefined>

/** Returns a function that reads the answers of earlier runs, each once. `latest` is the run before this one. */
export function createRecordingsReader(
  runsFolder: string,
  earlier: string | undefined,
  others: ReadOtherRecordings,
  host: Host,
) {
  const read = new Map<string, Promise<Recordings>>()
  const readAny = async (from: string, folder: string) => {
    const other = await others(from, folder, host)
    if (other) return other
    if (from === 'latest' && earlier === undefined) throw new RunError('There is no earlier run.')
    const run = from === 'latest' && earlier !== undefined ? earlier : from
    return readRecordings(await findRun(run, runsFolder, host, folder), host)
  }
  return (from: string, folder: string): Promise<Recordings> => {
    const key = JSON.stringify([from, folder])
    const known = read.get(key)
    if (known) return known
    const recordings = readAny(from, folder).catch(error => {
      throw error instanceof RunError ? new NoAnswer('no-recording', error.message) : error
    })
    read.set(key, recordings)
    return recordings
  }
}

/** Reads the answers of a run, by request. */
async function readRecordings(found: RunFiles, host: Host): Promise<Recordings> {
  const all = (await readAttempts(found, host)).filter(isAnswered)
  const byRequest = groupBy(all, ({ request_id }) => request_id)
  return {
    to: ({ request_id }) => byRequest.get(request_id) ?? [],
    test_ids: new Set(all.map(({ test_id }) => test_id)),
  }
}

/**
 * Reads the planned attempts of a run that have an answer or an error; the newest of each counts. Answers come from
 * `answers.jsonl`, or from the results if only these exist.
 */
export async function readAttempts(
  { folder, results }: RunFiles,
  host: Host,
): Promise<readonly (Recording | RecordedError)[]> {
  const byAttempt = new Map<string, Recording | RecordedError>()
  const settled = new SettledAnswers()
  const isRun = results.endsWith('results.jsonl')
  const info = isRun ? await readRunInfo(folder, host) : undefined
  const planned = info && new Set(info.attempts.map(([, id]) => id))
  const counts = (id: string) => !planned || planned.has(id)
  for await (const { record } of readRecords(results, recordedResultSchema(), host)) {
    const { attempt_id: id } = record
    if (counts(id)) byAttempt.set(id, recordedAttempt(record))
    settled.addResult(record)
  }
  if (isRun) {
    for await (const { record } of readRecords(join(folder, 'answers.jsonl'), answerRecordSchema(), host)) {
      const { attempt_id: id } = record
      const known = byAttempt.get(id)
      // A later try of the attempt ended in an error, which replaces the answer.
      const isReplaced = known && !isAnswered(known) && settled.has(record)
      if (counts(id) && !isReplaced)
        byAttempt.set(id, { ...record, suite: known?.suite, file: known?.file, rerun: known?.rerun })
    }
  }
  return [...byAttempt.values()]
}

function recordedAttempt(result: Result): Recording | RecordedError {
  const { answer, suite, file, test_id, trial, rerun, target, input, input_hash, cached, failed_calls } = result
  const request = { request_id: input_hash ?? requestId(input), suite, file, test_id, trial, rerun, target }
  if (answer === null) return { ...request, error: result.error ?? NO_ANSWER }
  const { output_messages, token_usage, cost_usd, duration_ms, model, finish_reason, changes, mock_calls, state } =
    result
  const facts = withoutNullish({
    output_messages,
    token_usage,
    cost_usd,
    duration_ms,
    model,
    finish_reason,
    changes,
    mock_calls,
    state,
    cached,
    failed_calls,
  })
  return { ...request, answer: { text: answer, ...facts } }
}

const NO_ANSWER = { code: 'no-recording', stage: 'answer', message: 'the result has no answer' } as const
