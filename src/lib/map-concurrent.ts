/** Items that are worked on at most `limit` at a time. */
export interface Lane<Item> {
  readonly items: readonly Item[]
  readonly limit: number
}

interface Work<Item, Result extends object> {
  readonly lanes: readonly Lane<Item>[]
  /** How many items of all lanes are worked on at once. */
  readonly limit: number
  work(item: Item, emit: (result: Result) => void): Promise<void>
}

/** How many results may wait to be taken before nothing new is begun. */
const MOST_WAITING = 16

/** Works on the items of all lanes, each lane in order and in turn, and yields the results as they come. */
export async function* mapConcurrent<Item, Result extends object>(options: Work<Item, Result>): AsyncGenerator<Result> {
  const { limit, work } = options
  const lanes = options.lanes.map(({ items, limit }) => ({ items, limit, next: 0, active: 0 }))
  const results: Result[] = []
  let active = 0
  let turn = 0
  let failure: { error: unknown } | undefined
  let isClosed = false
  let wake = () => {}

  const start = (lane: (typeof lanes)[number]) => {
    const item = lane.items[lane.next++] as Item
    active++
    lane.active++
    const done = () => {
      active--
      lane.active--
      fill()
      wake()
    }
    const emit = (result: Result) => {
      results.push(result)
      wake()
    }
    work(item, emit).then(done, error => {
      failure ??= { error }
      done()
    })
  }
  const fill = () => {
    const isOpen = () => !isClosed && !failure && active < limit && results.length < MOST_WAITING
    for (let idle = 0; idle < lanes.length && isOpen(); turn++) {
      const lane = lanes[turn % lanes.length]
      if (lane && lane.active < lane.limit && lane.next < lane.items.length) {
        start(lane)
        idle = 0
      } else idle++
    }
  }

  try {
    while (true) {
      fill()
      const result = results.shift()
      if (result !== undefined) yield result
      else if (failure) throw failure.error
      else if (active === 0) return
      else {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
  } finally {
    isClosed = true
  }
}
