/** How many tools a model may call at once. */
const MOST_AT_ONCE = 10

/** How often a model may still look around: each of its replies in which it calls tools is one look. */
export class Looks {
  readonly #most: number
  #asked = 0
  #calls = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The model is asked once more. */
  next(): void {
    this.#asked++
    this.#calls = 0
  }

  /** Whether the model has to decide now. */
  get areUsedUp(): boolean {
    return this.#asked > this.#most
  }

  /** Whether the model has to decide when it has seen this. */
  get isLast(): boolean {
    return this.#asked === this.#most
  }

  /** Why the model may not see this as well. */
  refusal(): string | undefined {
    if (this.areUsedUp) return 'you have looked as often as you may: decide now'
    return this.#calls++ < MOST_AT_ONCE ? undefined : `these are too many calls at once: at most ${MOST_AT_ONCE}`
  }
}
