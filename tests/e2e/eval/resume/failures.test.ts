import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { serve } from '../../../support/servers/server.ts'
import { resultsIn } from '../../../support/suite-run.ts'
import { AGENT, callsOf, evalIn, repliesFolder, summaryOf } from './replies.ts'

describe('--rerun-failed after an error', () => {
  it('replaces an attempt that never reached the agent, and reports it', async () => {
    let server = await serve((_, response) => response.end('ok'))
    const { port } = new URL(server.url)
    await server.close()
    const cwd = repliesFolder({ a: ['ok'] }, { name: 'default', provider: 'http', url: server.url, retries: 0 })
    expect((await evalIn(cwd)).code).toBe(3)
    expect(resultsIn(cwd)[0]?.error).toMatchObject({ code: 'network', never_reached: true })
    server = await serve((_, response) => response.end('ok'), Number(port))
    const { code, stderr } = await evalIn(cwd, '--rerun-failed')
    await server.close()
    expect(code).toBe(0)
    expect(stderr).toContain('1 attempt repeated in 1 rerun\n1 test: 1 passed\n')
    expect((await summaryOf(cwd)).tests).toMatchObject([{ attempts: 1, passed: 1, errors: 0, reruns: 1 }])
  })

  it.each<[what: string, status: number, attempts: number]>([
    ['counts a crash of an HTTP agent', 500, 2],
    ['replaces an attempt that hit a rate limit', 429, 1],
    ['replaces an attempt without a valid key', 401, 1],
  ])('%s', async (_, status, attempts) => {
    let first = true
    const server = await serve((_, response) => {
      response.writeHead(first ? status : 200).end('ok')
      first = false
    })
    const cwd = repliesFolder({ a: ['ok'] }, { name: 'default', provider: 'http', url: server.url, retries: 0 })
    expect((await evalIn(cwd)).code).toBe(3)
    const { code } = await evalIn(cwd, '--rerun-failed')
    await server.close()
    expect(code).toBe(attempts === 1 ? 0 : 3)
    expect((await summaryOf(cwd)).tests).toMatchObject([{ attempts, passed: 1, errors: attempts - 1 }])
  })
})

describe('retries', () => {
  it('do not hide crashes: failed calls are in the records and in the summary', async () => {
    const server = await serve(({ nth }, response) => response.writeHead(nth % 2 === 1 ? 500 : 200).end('ok'))
    const cwd = repliesFolder(
      { a: ['ok'], b: ['ok'] },
      { name: 'default', provider: 'http', url: server.url, workers: 1 },
    )
    const { code, stderr } = await evalIn(cwd)
    await server.close()
    expect(code).toBe(0)
    expect(stderr).toContain('2 answers after 2 failed calls\n2 tests: 2 passed\n')
    expect(resultsIn(cwd).map(({ failed_calls }) => failed_calls)).toEqual([1, 1])
  })

  it('after a rate limit do not count as failed calls', async () => {
    const server = await serve(({ nth }, response) => response.writeHead(nth === 1 ? 429 : 200).end('ok'))
    const cwd = repliesFolder({ a: ['ok'] }, { name: 'default', provider: 'http', url: server.url })
    const { stderr } = await evalIn(cwd)
    await server.close()
    expect(stderr).not.toContain('failed call')
    expect(resultsIn(cwd)[0]).not.toHaveProperty('failed_calls')
  })
})

describe('--cache', () => {
  it('keeps crashes, so that repeated runs cannot turn them into passes', async () => {
    const cwd = repliesFolder({ a: ['!', 'ok'], b: ['ok'] })
    expect((await evalIn(cwd, '--cache')).code).toBe(3)
    const { code, stderr } = await evalIn(cwd, '--cache')
    expect(code).toBe(3)
    expect(stderr).toContain('2 of 2 answers cached\n2 tests: 1 passed, 1 with errors')
    expect([callsOf(cwd, 'a'), callsOf(cwd, 'b')]).toEqual([1, 1])
    expect(resultsIn(cwd).map(({ cached }) => cached)).toEqual([true, true])
  })

  it('asks again if a request never reached the agent', async () => {
    let server = await serve((_, response) => response.end('ok'))
    const { port } = new URL(server.url)
    await server.close()
    const cwd = repliesFolder({ a: ['ok'] }, { name: 'default', provider: 'http', url: server.url, retries: 0 })
    expect((await evalIn(cwd, '--cache')).code).toBe(3)
    server = await serve((_, response) => response.end('ok'), Number(port))
    expect((await evalIn(cwd, '--cache')).code).toBe(0)
    await server.close()
  })
})

describe('grade after a rerun', () => {
  it('keeps the attempts that reruns added, and counts them as repeated', async () => {
    const cwd = repliesFolder({ coin: ['no', 'ok'] })
    await evalIn(cwd)
    await evalIn(cwd, '--rerun-failed')
    const { code, stderr } = await assay(['grade', 'latest'], { cwd })
    expect(stderr).toContain('flaky: coin')
    expect(stderr).toContain('1 attempt repeated in 1 rerun')
    expect(code).toBe(1)
  })

  it('grades the answers of the current agent only', async () => {
    const cwd = repliesFolder({ a: ['ok', 'no'] })
    await evalIn(cwd)
    writeFileSync(join(cwd, 'agent.sh'), `${AGENT}# edited\n`)
    await evalIn(cwd, '--resume')
    const { code, stderr } = await assay(['grade', 'latest'], { cwd })
    expect(stderr).toContain('1 test: 1 failed')
    expect(code).toBe(1)
  })
})
