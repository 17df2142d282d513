import { describe, expect, it } from 'vitest'
import { plainProgress } from '../../src/cli/terminal/plain-progress.ts'
import { PLAIN } from '../../src/lib/palette.ts'
import type { Attempt } from '../../src/model/attempt.ts'
import { resultWith } from '../support/recorded-run.ts'
import { virtualHost } from '../support/virtual-host.ts'

function started() {
  const clock = virtualHost()
  const lines: string[] = []
  const progress = plainProgress(9, PLAIN, text => lines.push(text.trimEnd()), clock.host.clock)
  const attempt = (id: string) => ({ id, test: { id } }) as unknown as Attempt
  const wait = (id: string, ms: number, target = 'default', reason = 'too many requests') =>
    progress.event({ type: 'waiting', attempt: attempt(id), target, ms, reason })
  const finish = (id: string) => progress.event({ type: 'finished', attempt: attempt(id), result: resultWith({}) })
  return { clock, lines, progress, wait, finish }
}

describe('progress without a terminal', () => {
  it('prints one line when attempts start to wait for a target, and one when they stop', async () => {
    const { clock, lines, wait } = started()
    for (const id of ['a', 'b', 'c']) wait(id, 2000)
    expect(lines).toEqual([])
    await clock.pass(250)
    expect(lines).toEqual(['wait default: 3 attempts wait up to 2.0 s: too many requests'])
    wait('d', 4000)
    await clock.pass(4900)
    expect(lines).toHaveLength(1)
    await clock.pass(200)
    expect(lines.slice(1)).toEqual(['wait default: no longer waiting after 5.3 s, 4 attempts waited'])
    expect(clock.sleepers).toBe(0)
  })

  it('counts an attempt once if it waits again, without another line', async () => {
    const { clock, lines, wait } = started()
    wait('a', 500)
    await clock.pass(600)
    wait('a', 1000)
    await clock.pass(3000)
    expect(lines).toEqual([
      'wait default: 1 attempt waits up to 500 ms: too many requests',
      'wait default: no longer waiting after 2.6 s, 1 attempt waited',
    ])
  })

  it('reports targets separately, and counts further reasons', async () => {
    const { clock, lines, wait } = started()
    wait('a', 500)
    wait('b', 500, 'judge', 'overloaded\n\u001b[2J')
    wait('c', 500, 'judge', 'no connection')
    await clock.pass(200)
    expect(lines).toEqual([
      'wait default: 1 attempt waits up to 500 ms: too many requests',
      'wait judge: 2 attempts wait up to 500 ms: overloaded↵␛[2J, and 1 other reason',
    ])
  })

  it('never reports a wait of 0 ms', async () => {
    const { clock, lines, wait, progress } = started()
    wait('a', 0)
    progress.end()
    expect(lines).toEqual([
      'wait default: 1 attempt waits up to 1 ms: too many requests',
      'wait default: no longer waiting after 1 ms, 1 attempt waited',
    ])
    expect(clock.sleepers).toBe(0)
  })

  it('does not count finished attempts as waiting', async () => {
    const { clock, lines, wait, finish } = started()
    wait('a', 60_000)
    await clock.pass(200)
    finish('a')
    await clock.pass(900)
    expect(lines).toHaveLength(1)
    await clock.pass(200)
    expect(lines.slice(1)).toEqual(['wait default: no longer waiting after 1.2 s, 1 attempt waited'])
    expect(clock.sleepers).toBe(0)
  })
})
