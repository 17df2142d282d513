/** Items of which at most `limit` are processed at a time. */
export interface Lane<Item> {
  readonly items: readonly Item[]
  readonly limit: number
  /** Lanes of one group have one limit together. */
  readonly group?: string | undefined
  /** Position of each item. Lanes with positions keep pace: none starts items far ahead of the others. */
  readonly positions?: readonly number[] | undefined
}

/** How many positions a lane may be ahead of the slowest one. */
const MOST_AHEAD = 2

interface Work<Item, Result> {
  readonly lanes: readonly Lane<Item>[]
  /** The limit for all lanes together. */
  readonly limit: number
  work(item: Item, emit: (result: Result) => void): Promise<void>
}

/** Processes the items of all lanes, round-robin and each lane in order. Yields the results that arrived meanwhile. */
export function mapConcurrent<Item, Result>(options: Work<Item, Result>): AsyncIterable<readonly Result[]> {
  return { [Symbol.asyncIterator]: () => new Workshop(options) }
}

/** The number of results in the buffer at which no new item is started. */
const MOST_WAITING = 16

interface OpenLane<Item> extends Lane<Item> {
  /** The index of the next item. */
  next: number
  /** The items in progress, in the lane or its group. */
  readonly busy: { active: number }
}

/** The items in progress, and the results that are not consumed yet. */
class Workshop<Item, Result> implements AsyncIterator<readonly Result[], undefined> {
  readonly #lanes: readonly OpenLane<Item>[]
  readonly #limit: number
  readonly #work: Work<Item, Result>['work']
  #results: Result[] = []
  #active = 0
  #turn = 0
  #failure: { readonly error: unknown } | undefined
  #isClosed = false
  #wake = () => {}

  constructor({ lanes, limit, work }: Work<Item, Result>) {
    const groups = new Map<string, OpenLane<Item>['busy']>()
    this.#lanes = lanes.map(lane => {
      const busy = (lane.group === undefined ? undefined : groups.get(lane.group)) ?? { active: 0 }
      if (lane.group !== undefined) groups.set(lane.group, busy)
      return { ...lane, next: 0, busy }
    })
    this.#limit = limit
    this.#work = work
  }

  /** Throws the error of a failed item after the results before it. */
  async next(): Promise<IteratorResult<readonly Result[], undefined>> {
    while (true) {
      this.#fill()
      if (this.#results.length > 0) return { done: false, value: this.#take() }
      if (this.#failure) throw this.#failure.error
      if (this.#active === 0) return { done: true, value: undefined }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  #take(): readonly Result[] {
    const results = this.#results
    this.#results = []
    return results
  }

  /** Starts no further items: nothing takes their results. */
  async return(): Promise<IteratorResult<readonly Result[], undefined>> {
    this.#isClosed = true
    return { done: true, value: undefined }
  }

  get #isOpen(): boolean {
    const hasRoom = this.#active < this.#limit && this.#results.length < MOST_WAITING
    return hasRoom && !this.#isClosed && !this.#failure
  }

  #fill(): void {
    for (let idle = 0; idle < this.#lanes.length && this.#isOpen; this.#turn++) {
      const lane = this.#lanes[this.#turn % this.#lanes.length]
      if (lane && lane.busy.active < lane.limit && lane.next < lane.items.length && !this.#isAhead(lane)) {
        this.#start(lane)
        idle = 0
      } else idle++
    }
  }

  #isAhead(lane: OpenLane<Item>): boolean {
    const next = positionOf(lane)
    return this.#lanes.some(other => positionOf(other) + MOST_AHEAD <= next)
  }

  #start(lane: OpenLane<Item>): void {
    const item = lane.items[lane.next++] as Item
    this.#active++
    lane.busy.active++
    const done = () => {
      this.#active--
      lane.busy.active--
      this.#fill()
      this.#wake()
    }
    const emit = (result: Result) => {
      this.#results.push(result)
      this.#wake()
    }
    this.#work(item, emit).then(done, error => {
      this.#failure ??= { error }
      done()
    })
  }
}

/** The position of the next item; not a number if the lane is done or has no positions. */
function positionOf({ positions, next }: OpenLane<unknown>): number {
  return positions?.[next] ?? Number.NaN
}
