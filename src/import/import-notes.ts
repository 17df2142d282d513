import type { Location, Origin, Part } from '../model/location.ts'

/**
 * What became of a part of a source: it works differently here, or it is missing here. A note is about something that a
 * reader should know, and that is no loss.
 */
export type Loss = 'approximated' | 'left out' | 'note'

/** A part of a source that was not carried over as it is. */
export interface ImportNote {
  readonly loss: Loss
  /** What it is and what became of it. The same sentence for the same loss, so that places can be counted. */
  readonly message: string
  readonly at: Location
}

/** What became of the tests of a source. */
export interface TestCounts {
  readonly carried_over: number
  readonly approximated: number
  readonly left_out: number
}

/** What a test that is written is counted as. */
export type Counted = 'carried_over' | 'approximated'

/** Collects what an import could not carry over, and the tests that this concerns. */
export class ImportNotes {
  readonly #notes: ImportNote[] = []
  readonly #tests = { carried_over: 0, approximated: 0, left_out: 0 }

  get notes(): readonly ImportNote[] {
    return this.#notes
  }

  get tests(): TestCounts {
    return this.#tests
  }

  approximated(at: Origin, message: string, part?: Part): void {
    this.#add('approximated', at, message, part)
  }

  leftOut(at: Origin, message: string, part?: Part): void {
    this.#add('left out', at, message, part)
  }

  /** Notes what is the same here, or nearly always. Tests do not count as approximated for it. */
  remark(at: Origin, message: string, part?: Part): void {
    this.#add('note', at, message, part)
  }

  /** Whether something works differently or is missing. */
  get hasLosses(): boolean {
    return this.hasLossSince(0)
  }

  hasLossSince(mark: number): boolean {
    return this.#notes.slice(mark).some(({ loss }) => loss !== 'note')
  }

  #add(loss: Loss, at: Origin, message: string, part?: Part): void {
    this.#notes.push({ loss, message, at: at.location(part) })
  }

  /** Position after which the notes of a test are counted. */
  mark(): number {
    return this.#notes.length
  }

  /** Counts tests by whether something was lost since a mark, and returns as what. `isLossy`: they share a loss. */
  countTests(mark: number, count = 1, isLossy = false): Counted {
    const counted = isLossy || this.hasLossSince(mark) ? 'approximated' : 'carried_over'
    this.#tests[counted] += count
    return counted
  }

  /** Counts a test that is not written, with its reason. `before`: as what it was counted. */
  leaveTestOut(at: Origin, message: string, before?: Counted): void {
    this.leftOut(at, message)
    this.#tests.left_out++
    if (before) this.#tests[before]--
  }
}
