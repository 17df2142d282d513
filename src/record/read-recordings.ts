import { join } from 'node:path'
import { defined } from '../lib/defined.ts'
import { groupBy } from '../lib/group-by.ts'
import { answerRecordSchema } from '../model/answer-record.ts'
import type { Host } from '../model/host.ts'
import { requestId } from '../model/recorded-messages.ts'
import { recordedResultSchema } from '../model/recorded-result.ts'
import type { Recording, Recordings } from '../model/recordings.ts'
import type { Result } from '../model/result.ts'
import type { FoundRun } from './find-run.ts'
import { readRecords } from './read-records.ts'

/** The answers of a run, by what was asked. */
export async function readRecordings(found: FoundRun, host: Host): Promise<Recordings> {
  const all = await readAnswers(found, host)
  const byRequest = groupBy(all, ({ request_id }) => request_id)
  return {
    to: ({ request_id }) => byRequest.get(request_id) ?? [],
    test_ids: new Set(all.map(({ test_id }) => test_id)),
  }
}

/** The answers of a run: as they arrived, or from its results where only these are left. The newest of an attempt counts. */
export async function readAnswers({ folder, results }: FoundRun, host: Host): Promise<readonly Recording[]> {
  const byAttempt = new Map<string, Recording>()
  for await (const { record } of readRecords(results, recordedResultSchema, host)) {
    const recording = recordingOf(record)
    if (recording) byAttempt.set(record.attempt_id, recording)
  }
  if (results.endsWith('results.jsonl')) {
    for await (const { record } of readRecords(join(folder, 'answers.jsonl'), answerRecordSchema, host)) {
      byAttempt.set(record.attempt_id, { ...record, suite: byAttempt.get(record.attempt_id)?.suite })
    }
  }
  return [...byAttempt.values()]
}

function recordingOf(result: Result): Recording | undefined {
  const { answer, suite, test_id, trial, target, input } = result
  if (answer === null) return undefined
  const { output_messages, token_usage, cost_usd, duration_ms, model, finish_reason } = result
  const facts = defined({ output_messages, token_usage, cost_usd, duration_ms, model, finish_reason })
  return { request_id: requestId(input), suite, test_id, trial, target, answer: { text: answer, ...facts } }
}
