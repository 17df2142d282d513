import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Semaphore } from '../../src/lib/semaphore.ts'

/** Tasks that the test settles. */
class Pieces {
  readonly begun: number[] = []
  readonly #ends: { resolve: () => void; reject: (error: Error) => void }[] = []

  work(id: number): () => Promise<number> {
    return () => {
      this.begun.push(id)
      return new Promise((resolve, reject) => {
        this.#ends[id] = { resolve: () => resolve(id), reject }
      })
    }
  }

  async end(id: number): Promise<void> {
    this.#ends[id]?.resolve()
    await settled()
  }

  async fail(id: number): Promise<void> {
    this.#ends[id]?.reject(new Error(`no ${id}`))
    await settled()
  }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

describe('Semaphore', () => {
  it('starts tasks up to the limit at once, and the others in order', async () => {
    const [semaphore, pieces] = [new Semaphore(2), new Pieces()]
    const results = [0, 1, 2, 3].map(id => semaphore.run(pieces.work(id)))
    expect(pieces.begun).toEqual([0, 1])
    await pieces.end(1)
    expect(pieces.begun).toEqual([0, 1, 2])
    await pieces.end(0)
    expect(pieces.begun).toEqual([0, 1, 2, 3])
    await pieces.end(3)
    await pieces.end(2)
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3])
  })

  it('passes on a rejection and releases its slot', async () => {
    const [semaphore, pieces] = [new Semaphore(1), new Pieces()]
    const results = Promise.allSettled([0, 1].map(id => semaphore.run(pieces.work(id))))
    await pieces.fail(0)
    expect(pieces.begun).toEqual([0, 1])
    await pieces.end(1)
    expect(await results).toMatchObject([{ reason: { message: 'no 0' } }, { value: 1 }])
  })

  it('releases the slot of a task that throws synchronously', async () => {
    const semaphore = new Semaphore(1)
    const thrown = semaphore.run(() => {
      throw new Error('at once')
    })
    await expect(thrown).rejects.toThrow('at once')
    expect(await semaphore.run(async () => 'next')).toBe('next')
  })

  it('keeps the order of a task that arrives as a slot is released', async () => {
    const [semaphore, pieces] = [new Semaphore(1), new Pieces()]
    const first = semaphore.run(pieces.work(0)).then(() => semaphore.run(pieces.work(2)))
    const second = semaphore.run(pieces.work(1))
    await pieces.end(0)
    expect(pieces.begun).toEqual([0, 1])
    await pieces.end(1)
    await pieces.end(2)
    expect(await Promise.all([first, second])).toEqual([2, 1])
  })

  it('never exceeds the limit, and leaves no slot unused', async () => {
    const limit = fc.integer({ min: 1, max: 5 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), limit, fc.array(fc.boolean(), { maxLength: 15 }), async (s, limit, fails) => {
        const semaphore = new Semaphore(limit)
        const begun: number[] = []
        let active = 0
        let most = 0
        const work = async (id: number, isFailing: boolean) => {
          begun.push(id)
          most = Math.max(most, ++active)
          await s.schedule(Promise.resolve(), `piece ${id}`)
          active--
          if (isFailing) throw new Error(`no ${id}`)
          return id
        }
        const all = Promise.allSettled(fails.map((isFailing, id) => semaphore.run(() => work(id, isFailing))))
        const results = await s.waitFor(all)
        expect(begun).toEqual(fails.map((_, id) => id))
        expect(most).toBe(Math.min(limit, fails.length))
        expect(results.map(({ status }) => status === 'rejected')).toEqual(fails)
        expect(await semaphore.run(async () => 'still open')).toBe('still open')
      }),
    )
  })

  it('queues a hundred thousand tasks', async () => {
    const semaphore = new Semaphore(1)
    const results = await Promise.all(Array.from({ length: 100_000 }, (_, id) => semaphore.run(async () => id)))
    expect(results.at(-1)).toBe(99_999)
  })
})
