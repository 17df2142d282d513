import { createHash } from 'node:crypto'

/** Numbers that look like chance, and are the same each time. */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE()
  }

  /** In 0..1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below this one. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<Value>(list: readonly Value[]): Value {
    return list[this.below(list.length)] as Value
  }

  /** From 1 on; each further one half as often as the one before. */
  few(most = 6): number {
    let count = 1
    while (count < most && this.chance(0.5)) count++
    return count
  }
}
