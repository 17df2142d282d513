import type { Host } from '../../model/host.ts'
import { isLabelOf, type Label } from '../../model/label.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { EarlierLabel, GivenLabel, LabelPage, ShownAnswer } from '../../model/shown-answer.ts'
import { appendLabel, repairLabels } from '../../record/append-label.ts'
import { labelPath, readLabels } from '../../record/label-files.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { personName } from './person.ts'
import { type Candidate, candidateOf, drawSample, type SampleOptions } from './sample.ts'
import { showAnswer } from './show-answer.ts'

export interface LabelRequest extends SampleOptions {
  /** Name of the person. Default: the user of git, or of the machine. */
  readonly by?: string | undefined
}

/** An answer of the sample. */
interface Entry {
  readonly candidate: Candidate
  readonly path: string
  earlier: EarlierLabel | undefined
}

/** Draws the sample of a run, and reads what the person has labelled of it. */
export async function startLabelling(run: RunReader, request: LabelRequest, host: Host): Promise<LabelSession> {
  const { root, settings_folder } = await findProjectFolders(undefined, host)
  const by = await personName(request.by, root, host)
  const candidates: Candidate[] = []
  for (const result of run.results()) {
    const candidate = candidateOf(result)
    if (candidate) candidates.push(candidate)
  }
  const sample = drawSample(candidates, request)
  const labels = new Map<string, readonly Label[]>()
  for (const path of new Set(sample.map(({ suite }) => labelPath(settings_folder, suite)))) {
    await repairLabels(path, host)
    const all = await readLabels(path, host)
    labels.set(
      path,
      all.filter(label => label.by === by),
    )
  }
  const entries = sample.map(candidate => {
    const path = labelPath(settings_folder, candidate.suite)
    const mine = labels.get(path)?.findLast(label => isLabelOf(label, candidate.answer))
    return { candidate, path, earlier: mine && { label: mine.label, note: mine.note } }
  })
  return new LabelSession(run, entries, by, host)
}

/** A person who labels the answers of a sample. Positions count from 1. */
export class LabelSession {
  readonly #run: RunReader
  readonly #entries: readonly Entry[]
  readonly #host: Host
  readonly by: string
  /** The answer that was shown last: it is drawn again with each key. */
  #last: { readonly attempt_id: string; readonly shown: ShownAnswer } | undefined

  constructor(run: RunReader, entries: readonly Entry[], by: string, host: Host) {
    this.#run = run
    this.#entries = entries
    this.#host = host
    this.by = by
  }

  /** The number of answers in the sample. */
  get size(): number {
    return this.#entries.length
  }

  /** How many of them the person has labelled. */
  get labelled(): number {
    return this.#entries.filter(({ earlier }) => earlier !== undefined).length
  }

  /** The number of answers with the rarer verdict, and with the other one; without which is which. */
  get balance(): { readonly fewer: number; readonly more: number } {
    const passed = this.#entries.filter(({ candidate }) => candidate.is_passed).length
    const failed = this.size - passed
    return { fewer: Math.min(passed, failed), more: Math.max(passed, failed) }
  }

  /** The files of the labels. */
  get paths(): readonly string[] {
    return [...new Set(this.#entries.map(({ path }) => path))]
  }

  /** The position of the next unlabelled answer after another; undefined after the last one. */
  nextAfter(number: number): number | undefined {
    const found = this.#entries.findIndex(({ earlier }, index) => index >= number && earlier === undefined)
    return found < 0 ? undefined : found + 1
  }

  /** The label of the person for an answer. */
  earlier(number: number): EarlierLabel | undefined {
    return this.#entries[number - 1]?.earlier
  }

  /** Undefined for a position outside of the sample. */
  page(number: number): LabelPage | undefined {
    const entry = this.#entries[number - 1]
    const shown = entry && this.#shownAnswer(entry.candidate.attempt_id)
    if (!entry || !shown) return undefined
    const { size, labelled, by } = this
    return { number, of: size, labelled, by, shown, earlier: entry.earlier }
  }

  #shownAnswer(attempt_id: string): ShownAnswer | undefined {
    if (this.#last?.attempt_id === attempt_id) return this.#last.shown
    const result = this.#run.result(attempt_id)
    if (!result) return undefined
    this.#last = { attempt_id, shown: showAnswer(result) }
    return this.#last.shown
  }

  /** Writes a label, which replaces an earlier one of the person. Throws if it cannot be written. */
  async label(number: number, label: GivenLabel | number, note?: string): Promise<void> {
    const entry = this.#entries[number - 1]
    if (!entry) throw new RangeError(`no answer ${number}`)
    const { attempt_id, answer, instrument: drawn_by } = entry.candidate
    const given = { label, ...(note === undefined || note.trim() === '' ? {} : { note: note.trim() }) }
    const at = this.#host.clock.timestamp()
    await appendLabel(entry.path, { attempt_id, ...answer, ...given, drawn_by, by: this.by, at }, this.#host)
    entry.earlier = given
  }
}
