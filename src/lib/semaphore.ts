/** Limits how many tasks run at once; the others wait in order. */
export class Semaphore {
  #free: number
  /** The first and the last that wait, linked: each `shift` of a long array takes time for all its items. */
  #first: Waiting | undefined
  #last: Waiting | undefined

  constructor(limit: number) {
    this.#free = limit
  }

  /** Whether the next task would have to wait. */
  get isFull(): boolean {
    return this.#free <= 0
  }

  /** Runs a task as soon as a slot is free. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#enqueue(resolve))
    try {
      return await task()
    } finally {
      const next = this.#first
      this.#first = next?.next
      if (next) next.start()
      else this.#free++
    }
  }

  #enqueue(start: () => void): void {
    const waiting: Waiting = { start, next: undefined }
    if (this.#first && this.#last) this.#last.next = waiting
    else this.#first = waiting
    this.#last = waiting
  }
}

interface Waiting {
  readonly start: () => void
  next: Waiting | undefined
}
