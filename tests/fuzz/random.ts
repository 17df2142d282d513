import { createHash } from 'node:crypto'

/** A seeded pseudorandom number generator. */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE()
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<Value>(list: readonly Value[]): Value {
    return list[this.below(list.length)] as Value
  }

  /** An integer from 1; each is half as likely as the one before. */
  few(most = 6): number {
    let count = 1
    while (count < most && this.chance(0.5)) count++
    return count
  }
}
