import type { Host } from '../model/host.ts'
import { recordedResultSchema } from '../model/recorded-result.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { FoundRun } from './find-run.ts'
import { readRecords } from './read-records.ts'
import { ResultIndex } from './result-index.ts'
import { readRunInfo } from './run-folder.ts'

export interface OpenRun extends RunReader {
  /** Lines that cannot be read. */
  readonly damaged: number
  close(): void
}

/** Opens the records of a run for reading. */
export async function readRun({ folder, results }: FoundRun, host: Host): Promise<OpenRun> {
  const info = results.endsWith('results.jsonl') ? await readRunInfo(folder, host) : undefined
  const file = host.openRead(results)
  const index = new ResultIndex(info?.attempts, ({ offset, length }) => file.readAt(offset, length))
  let damaged = 0
  for await (const { record, line } of readRecords(results, recordedResultSchema, host, () => damaged++)) {
    index.add(record, line)
  }
  return {
    info,
    planned: info ? info.attempts.length + missingShards(info) : index.size,
    planned_tests: info?.tests ?? index.testCount(),
    facts: () => index.facts(),
    result: id => index.result(id),
    results: () => index.results(),
    damaged,
    close: () => file.close(),
  }
}

/** Attempts of shards that were never merged in. */
function missingShards({ shard, total, attempts }: NonNullable<RunReader['info']>): number {
  return shard ? 0 : total - attempts.length
}
