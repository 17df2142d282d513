import type { Result } from '../../model/result.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { partialRunText } from '../outcome/partial-run.ts'
import { timesOf } from './attempt-spans.ts'
import { attributesOf, count, KIND, nanoseconds, type OtlpSpan } from './otlp.ts'
import { runSpanIds } from './span-ids.ts'

/** Collects the ends of attempts, for the span of their run. */
export class RunSpan {
  /** The end of the last attempt of each rerun; 0 is the run itself. */
  readonly #ends = new Map<number, number>()

  add(result: Result): void {
    const { rerun = 0 } = result
    this.#ends.set(rerun, Math.max(this.#ends.get(rerun) ?? 0, timesOf(result).graded))
  }

  /** The spans of a run and of its reruns. A run that is not complete has none yet: it may be resumed. */
  spans(run: RunReader): readonly OtlpSpan[] {
    const { info } = run
    const made = [...run.facts()].length
    if (!info || made < run.planned) return []
    return [...this.#ends].map(([rerun, end]) => {
      const started = info.reruns?.[rerun - 1]?.started ?? info.started
      return {
        ...runSpanIds(info, rerun),
        name: rerun === 0 ? 'assay run' : 'assay rerun',
        kind: KIND.internal,
        // biome-ignore lint/style/noRestrictedGlobals: this reads a date that is given, not the clock
        startTimeUnixNano: nanoseconds(Date.parse(started) || 0),
        endTimeUnixNano: nanoseconds(end),
        attributes: attributesOf({
          'assay.run.id': info.run_id,
          'assay.rerun': rerun === 0 ? undefined : count(rerun),
          'assay.attempts': count(made),
          'assay.partial': partialRunText(run, made),
          'assay.source_run.id': info.source,
          'assay.label': info.label,
          'vcs.ref.head.revision': info.git_commit,
          'vcs.ref.head.name': info.git_branch,
        }),
      }
    })
  }
}
