import { compositeKey, groupBy } from '../../lib/collections.ts'
import type { Attempt } from '../../model/attempt.ts'
import { instrumentOf } from '../../model/calibration.ts'
import type { Host } from '../../model/host.ts'
import { isDrawnFor, isLabelOf, type Label, labelledAnswer } from '../../model/label.ts'
import type { Result } from '../../model/result.ts'
import { clusterName } from '../../model/run-reader.ts'
import { labelPath, readLabels } from '../../record/label-files.ts'
import { opinionOf } from '../calibrate/match-labels.ts'

/** An answer that a model judged and people labelled. */
export interface LabelledResult {
  /** Identifies the attempt among those of a plan for the same answers. */
  readonly key: string
  /** The test, or the cluster of tests: answers of one group are not independent. */
  readonly group: string
  readonly result: Result
  /** Whether it passes by the majority of people. */
  readonly passes: boolean
  readonly notes: readonly string[]
}

/** Finds the labelled answers of a run. Equal answers to one task count once. */
export async function labelledResults(
  results: Iterable<Result>,
  settingsFolder: string,
  host: Host,
): Promise<LabelledResult[]> {
  const labels = new Map<string, ReadonlyMap<string, readonly Label[]>>()
  const seen = new Set<string>()
  const found: LabelledResult[] = []
  for (const result of results) {
    const answer = labelledAnswer(result)
    if (!answer || !isJudged(result)) continue
    const { suite, test_id } = result
    const ofSuite = labels.get(suite) ?? groupBy(await readLabels(labelPath(settingsFolder, suite), host), textKey)
    labels.set(suite, ofSuite)
    const own = (ofSuite.get(textKey(answer)) ?? []).filter(
      label => isLabelOf(label, answer) && isDrawnFor(label, instrumentOf(result)),
    )
    const { passes } = opinionOf(own)
    const same = compositeKey(suite, test_id, answer.task_hash, answer.answer_sha256)
    if (passes === undefined || seen.has(same)) continue
    seen.add(same)
    const group = clusterName(suite, result) ?? compositeKey(suite, test_id)
    const notes = own.flatMap(({ note }) => note ?? [])
    found.push({ key: resultKey(result), group, result, passes, notes })
  }
  return found
}

/** Whether a model gave the attempt a verdict that counts in rates. */
function isJudged({ verdict, judges_hash, added, quarantine }: Result): boolean {
  return verdict !== 'error' && judges_hash !== undefined && added === undefined && quarantine === undefined
}

function textKey({ test_id, answer_sha256 }: Pick<Label, 'test_id' | 'answer_sha256'>): string {
  return compositeKey(test_id, answer_sha256)
}

/** Identifies an attempt of a plan by what it answers; `file` is that of its test, as records have it. */
export function attemptKey({ suite, test, target, trial, request_id }: Attempt, file: string): string {
  return compositeKey(suite.name, file, test.id, target.name, String(trial), request_id)
}

/** The same of a result. */
export function resultKey({ suite, file, test_id, target, trial, input_hash = '' }: Result): string {
  return compositeKey(suite, file, test_id, target, String(trial), input_hash)
}
