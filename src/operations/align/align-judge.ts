import type { AlignmentResult, WordingCandidate } from '../../model/alignment.ts'
import { Incomplete, type IncompleteReason } from '../proposals/incomplete.ts'
import { bestOf, rankInRounds } from '../proposals/rank-in-rounds.ts'
import type { RunObserver } from '../run/run-observer.ts'
import type { Runtime } from '../runtime.ts'
import { agreedShare, agreementOf, compareAgreement } from './agreement.ts'
import { type AlignRun, judgeAnswers } from './judge-answers.ts'
import { type AlignOptions, type PreparedAlignment, prepareAlignment } from './prepare-alignment.ts'
import { writeProposal } from './proposal-file.ts'
import { proposeWordings } from './propose-wordings.ts'
import { type AlignmentTotals, alignmentTotals } from './session-totals.ts'
import { type TriedWording, wordingText } from './wording-prompt.ts'

/** Watches a session of `assay calibrate --align`. */
export interface AlignObserver extends RunObserver {
  /** Everything is read, and nothing is asked yet. */
  onPrepared?(prepared: PreparedAlignment): void
  /** A step begins, in words. */
  onStep?(text: string): void
  readonly signal?: AbortSignal | undefined
  /** Whether the records of the same session are discarded. */
  readonly fresh?: boolean | undefined
}

/** How a session ended. */
export interface FinishedAlignment {
  readonly prepared: PreparedAlignment
  /** Undefined if the session is not finished. */
  readonly result: AlignmentResult | undefined
  readonly incomplete: { readonly reason: IncompleteReason; readonly message: string } | undefined
  /** Absolute path of the file with the offered text. */
  readonly proposal_file: string | undefined
  readonly totals: AlignmentTotals
}

/**
 * Looks for a text with which a judge agrees better with people: proposals are made from one half of the labelled
 * answers and decided by the other. What is recorded is not asked again.
 */
export async function alignJudge(
  options: AlignOptions,
  runtime: Runtime,
  observer: AlignObserver = {},
): Promise<FinishedAlignment> {
  const prepared = await prepareAlignment(options, runtime)
  observer.onPrepared?.(prepared)
  const { folder } = prepared
  const release = await folder.lock()
  try {
    if (observer.fresh) await folder.clear()
    const ended = await run(prepared, observer, runtime)
    const isOffered = ended.result?.status === 'offered'
    const proposal_file = isOffered ? await writeProposal(prepared, ended.result, runtime.host) : undefined
    return { prepared, ...ended, proposal_file, totals: await alignmentTotals(prepared, runtime.host) }
  } finally {
    await release()
  }
}

type Ended = Pick<FinishedAlignment, 'result' | 'incomplete'>

async function run(prepared: PreparedAlignment, observer: AlignObserver, runtime: Runtime): Promise<Ended> {
  try {
    const known = await prepared.folder.result()
    return { result: known ?? (await new Alignment(prepared, observer, runtime).run()), incomplete: undefined }
  } catch (error) {
    if (!(error instanceof Incomplete)) throw error
    return { result: undefined, incomplete: { reason: error.reason, message: error.message } }
  }
}

interface RankedWording extends TriedWording {
  readonly number: number
}

/** The steps of a session. */
class Alignment {
  readonly #prepared: PreparedAlignment
  readonly #observer: AlignObserver
  readonly #run: AlignRun
  readonly #runtime: Runtime

  constructor(prepared: PreparedAlignment, observer: AlignObserver, runtime: Runtime) {
    this.#prepared = prepared
    this.#observer = observer
    this.#run = { observer, signal: observer.signal }
    this.#runtime = runtime
  }

  async run(): Promise<AlignmentResult> {
    const { folder, session, grading } = this.#prepared
    if (!(await folder.session())) await folder.begin(session, grading.folders)
    const present = await this.#train({ number: 0, wording: session.wording })
    const current = agreementOf(present.judged)
    if (present.agreed === 1) return this.#finish({ status: 'nothing-to-improve', training: { current } })
    const ranked = await rankInRounds<WordingCandidate, RankedWording>(session.rounds, {
      propose: (round, before) => this.#propose(round, [present, ...before]),
      rank: async candidates => {
        const all: RankedWording[] = []
        for (const candidate of candidates) all.push(await this.#train(candidate))
        return all
      },
      isPerfect: ({ agreed }) => agreed === 1,
    })
    const best = bestOf(ranked, present.agreed, {
      rightOf: ({ agreed }) => agreed,
      lengthOf: ({ wording }) => wordingText(wording).length,
    })
    if (!best) return this.#finish({ status: 'no-candidate', training: { current } })
    return this.#finish(await this.#decide(present, best))
  }

  /** Measures a wording on the training answers. */
  async #train({ number, wording }: { number: number; wording: WordingCandidate['wording'] }): Promise<RankedWording> {
    this.#step(`Training: ${nameOf(number)} on ${this.#prepared.plan.training} answers`)
    const judged = await judgeAnswers(number, wording, 'training', this.#prepared, this.#run, this.#runtime)
    return { number, wording, judged, agreed: agreedShare(agreementOf(judged)) }
  }

  #propose(round: number, tried: readonly TriedWording[]): Promise<readonly WordingCandidate[]> {
    this.#step(`Round ${round}: ${this.#prepared.proposer.name} proposes texts`)
    return proposeWordings(round, tried, this.#prepared, this.#run, this.#runtime)
  }

  /** Compares the best candidate with the present wording on the held-out answers: the only look at them. */
  async #decide(present: RankedWording, best: RankedWording): Promise<Omit<AlignmentResult, 'finished'>> {
    const { plan, session } = this.#prepared
    this.#step(`Decision: ${nameOf(0)} and ${nameOf(best.number)} on ${plan.held_out} held-out answers`)
    const judge = ({ number, wording }: RankedWording) =>
      judgeAnswers(number, wording, 'held-out', this.#prepared, this.#run, this.#runtime)
    const { isBetter, held_out } = compareAgreement(await judge(present), await judge(best), session.judged)
    const { number, wording } = best
    return {
      status: isBetter ? 'offered' : 'not-shown',
      candidate: { number, wording },
      training: { current: agreementOf(present.judged), candidate: agreementOf(best.judged) },
      held_out,
    }
  }

  async #finish(ended: Omit<AlignmentResult, 'finished'>): Promise<AlignmentResult> {
    const result = { ...ended, finished: this.#runtime.host.clock.timestamp() }
    await this.#prepared.folder.finish(result)
    return result
  }

  #step(text: string): void {
    this.#observer.onStep?.(text)
  }
}

function nameOf(number: number): string {
  return number === 0 ? 'the current text' : `proposal ${number}`
}
