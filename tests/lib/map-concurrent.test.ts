import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapConcurrent } from '../../src/lib/map-concurrent.ts'
import { virtualHost } from '../support/virtual-host.ts'

interface Item {
  readonly lane: number
  readonly id: number
  readonly takes: number
  /** The number of results. */
  readonly results: number
}

const lane = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  items: fc.array(fc.record({ takes: fc.nat(20), results: fc.nat(3) }), { maxLength: 12 }),
})
const plan = fc.record({
  limit: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(Number.POSITIVE_INFINITY)),
  lanes: fc.array(lane, { maxLength: 4 }),
})

/** The items of all lanes, with unique numbers. */
function numbered(lanes: readonly { limit: number; items: readonly { takes: number; results: number }[] }[]) {
  let id = 0
  return lanes.map(({ limit, items }, index) => ({
    limit,
    items: items.map((item): Item => ({ ...item, lane: index, id: id++ })),
  }))
}

describe('mapConcurrent', () => {
  it('respects every limit, yields every result once, and starts each lane in order', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ limit, lanes: drawn }) => {
        const { host, settled } = virtualHost()
        const lanes = numbered(drawn)
        const active = lanes.map(() => 0)
        const begun: Item[] = []
        const work = async (item: Item, emit: (result: { name: string }) => void) => {
          begun.push(item)
          active[item.lane] = (active[item.lane] ?? 0) + 1
          expect(active[item.lane]).toBeLessThanOrEqual(lanes[item.lane]?.limit ?? 0)
          expect(active.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(limit)
          for (let result = 0; result < item.results; result++) {
            await host.clock.sleep(item.takes)
            emit({ name: `${item.id} ${result}` })
          }
          active[item.lane] = (active[item.lane] ?? 0) - 1
        }
        const consume = async () => {
          const names: string[] = []
          for await (const results of mapConcurrent({ lanes, limit, work }))
            names.push(...results.map(({ name }) => name))
          return names
        }
        const outcome = await settled(consume())
        const items = lanes.flatMap(each => each.items)
        const expected = items.flatMap(({ id, results }) =>
          Array.from({ length: results }, (_, index) => `${id} ${index}`),
        )
        expect(outcome.status === 'fulfilled' ? outcome.value.sort() : outcome.reason).toEqual(expected.sort())
        for (const { items } of lanes) expect(begun.filter(item => items.includes(item))).toEqual(items)
        expect(begun).toHaveLength(items.length)
      }),
    )
  })

  it('keeps lanes with positions within two positions of each other, and finishes them all', async () => {
    const paced = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      items: fc.uniqueArray(fc.nat(15), { maxLength: 12 }),
      takes: fc.nat(20),
    })
    const limits = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(Number.POSITIVE_INFINITY))
    await fc.assert(
      fc.asyncProperty(fc.array(paced, { maxLength: 4 }), limits, async (drawn, limit) => {
        const { host, settled } = virtualHost()
        const lanes = drawn.map(({ limit, items, takes }, lane) => {
          const positions = items.toSorted((a, b) => a - b)
          return { limit, positions, items: positions.map(position => ({ lane, position, takes })) }
        })
        const left = lanes.map(({ positions }) => [...positions])
        const work = async ({ lane, position, takes }: { lane: number; position: number; takes: number }) => {
          for (const [other, [next]] of left.entries())
            if (other !== lane && next !== undefined) expect(position).toBeLessThan(next + 2)
          left[lane]?.shift()
          await host.clock.sleep(takes)
        }
        const consume = async () => {
          for await (const _ of mapConcurrent({ lanes, limit, work })) expect(_).toBe('none')
        }
        expect(await settled(consume())).toMatchObject({ status: 'fulfilled' })
        expect(left.flat()).toEqual([])
      }),
    )
  })

  it('runs as many items at once as the limits allow', async () => {
    const { host, settled } = virtualHost()
    let active = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++active)
      await host.clock.sleep(10)
      active--
    }
    const items = Array.from({ length: 20 }, (_, index) => index)
    const consume = async (limit: number) => {
      for await (const _ of mapConcurrent({
        lanes: [
          { items, limit: 3 },
          { items, limit: 4 },
        ],
        limit,
        work,
      }))
        expect(_).toBe('none')
    }
    await settled(consume(Number.POSITIVE_INFINITY))
    expect({ most, took: host.clock.elapsed() }).toEqual({ most: 7, took: 70 })
    most = 0
    await settled(consume(5))
    expect({ most, took: host.clock.elapsed() }).toEqual({ most: 5, took: 150 })
  })

  it('alternates between lanes', async () => {
    const begun: string[] = []
    const lanes = ['a', 'b', 'c'].map(name => ({ items: [1, 2, 3].map(number => `${name}${number}`), limit: 9 }))
    const work = async (item: string) => {
      begun.push(item)
    }
    for await (const _ of mapConcurrent({ lanes, limit: 1, work })) expect(_).toBe('none')
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
  })

  it('yields results while other items are in progress', async () => {
    const { host, settled } = virtualHost()
    const results: [number, number][] = []
    const work = async (item: number, emit: (result: { item: number }) => void) => {
      await host.clock.sleep(item)
      emit({ item })
      await host.clock.sleep(100)
    }
    const consume = async () => {
      for await (const [result] of mapConcurrent({ lanes: [{ items: [30, 10, 20], limit: 3 }], limit: 3, work })) {
        results.push([result?.item ?? 0, host.clock.elapsed()])
      }
    }
    await settled(consume())
    expect(results).toEqual([
      [10, 10],
      [20, 20],
      [30, 30],
    ])
  })

  it('yields results that arrive together as one', async () => {
    const { host, settled } = virtualHost()
    const together = host.clock.sleep(10)
    const work = async (item: number, emit: (result: number) => void) => {
      await (item < 3 ? together : host.clock.sleep(20))
      emit(item)
    }
    const consume = async () => {
      const all = []
      for await (const results of mapConcurrent({ lanes: [{ items: [1, 2, 3], limit: 3 }], limit: 3, work }))
        all.push(results)
      return all
    }
    expect(await settled(consume())).toEqual({ status: 'fulfilled', value: [[1, 2], [3]] })
  })

  it('throws the first error after the results before it, and starts no further items', async () => {
    const { host, settled } = virtualHost()
    const begun: number[] = []
    const results: number[] = []
    const work = async (item: number, emit: (result: { item: number }) => void) => {
      begun.push(item)
      await host.clock.sleep(item)
      if (item === 3) throw new Error('three')
      if (item === 4) throw new Error('four')
      emit({ item })
    }
    const consume = async () => {
      for await (const some of mapConcurrent({ lanes: [{ items: [1, 3, 4, 5, 6, 7], limit: 2 }], limit: 9, work })) {
        results.push(...some.map(({ item }) => item))
      }
    }
    expect(await settled(consume())).toEqual({ status: 'rejected', reason: new Error('three') })
    expect(results).toEqual([1])
    await settled(host.clock.sleep(100))
    expect(begun).toEqual([1, 3, 4])
  })

  it('starts no further items when its consumer stops', async () => {
    const { host, settled } = virtualHost()
    const begun: number[] = []
    const finished: number[] = []
    const work = async (item: number, emit: (result: { item: number }) => void) => {
      begun.push(item)
      await host.clock.sleep(10)
      finished.push(item)
      emit({ item })
    }
    const consume = async () => {
      for await (const result of mapConcurrent({
        lanes: [{ items: [1, 2, 3, 4, 5, 6, 7, 8], limit: 2 }],
        limit: 2,
        work,
      })) {
        return result
      }
      return undefined
    }
    expect(await settled(consume())).toEqual({ status: 'fulfilled', value: [{ item: 1 }] })
    const before = begun.length
    await settled(host.clock.sleep(1000))
    expect(before).toBeLessThan(6)
    expect(begun).toHaveLength(before)
    expect(finished).toHaveLength(before)
  })

  it('waits for a slow consumer', async () => {
    const { host, settled } = virtualHost()
    const items = Array.from({ length: 2000 }, (_, index) => index)
    let begun = 0
    let taken = 0
    const work = async (item: number, emit: (result: { item: number }) => void) => {
      begun++
      emit({ item })
    }
    const consume = async () => {
      for await (const results of mapConcurrent({ lanes: [{ items, limit: 4 }], limit: 4, work })) {
        await host.clock.sleep(10)
        taken += results.length
        expect(begun - taken).toBeLessThan(100)
      }
    }
    await settled(consume())
    expect({ begun, taken }).toEqual({ begun: 2000, taken: 2000 })
  })

  it('yields nothing without items', async () => {
    for (const lanes of [
      [],
      [{ items: [], limit: 1 }],
      [
        { items: [], limit: 1 },
        { items: [], limit: 2 },
      ],
    ]) {
      const results = []
      for await (const result of mapConcurrent({ lanes, limit: 1, work: async () => {} })) results.push(result)
      expect(results).toEqual([])
    }
  })
})
