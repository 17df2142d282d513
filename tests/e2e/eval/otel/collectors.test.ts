import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { suiteFolder, wordTest, YES_AND_NO } from '../../../support/runs.ts'
import { type Answer, type Collector, collector } from '../../../support/servers/otlp-collector.ts'
import { serve } from '../../../support/servers/server.ts'

let receiver: Collector | undefined
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})

const SUITE = { tests: [wordTest('a', 'yes', 'yes'), wordTest('b', 'yes', 'yes')] }

async function evaluate(answer: Answer, ...args: string[]) {
  receiver = await collector(answer)
  return assay(['eval', '--otel', receiver.url, ...args], { cwd: suiteFolder(SUITE) })
}

describe('collectors that do not accept spans', () => {
  it('retries after the time that a busy collector asks for', async () => {
    const { code, stderr } = await evaluate(({ nth }, response) =>
      nth === 1 ? response.writeHead(503, { 'retry-after': '1' }).end() : undefined,
    )
    expect(code).toBe(0)
    expect(stderr).toContain('5 spans sent')
    const [first, second] = receiver?.calls ?? []
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(990)
    expect(second?.body).toBe(first?.body)
  })

  it('gives up at the end of the run if a collector asks to wait longer than that', async () => {
    const { code, stderr } = await evaluate((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end())
    expect(code).toBe(0)
    expect(receiver?.calls.length).toBe(2)
    expect(stderr.match(/warning: 5 spans not sent to .*: it answered 503/g)).toHaveLength(1)
  })

  it('loses the spans that a collector refuses, and says why', async () => {
    const { code, stderr } = await evaluate((_, response) => response.writeHead(401).end('{"message":"no such key"}'))
    expect(code).toBe(0)
    expect(stderr).toContain('it answered 401: no such key')
    expect(stderr).toMatch(/`assay report \S+ --format otel -o traces.jsonl` writes all spans/)
  })

  it('passes without a collector', async () => {
    const closed = await serve(() => {})
    await closed.close()
    const { code, stderr } = await assay(['eval', '--otel', closed.url], { cwd: suiteFolder(SUITE) })
    expect(code).toBe(0)
    expect(stderr.match(/warning: 5 spans not sent/g)).toHaveLength(1)
  })

  it('passes with a collector that never answers', async () => {
    const { code, stderr } = await evaluate(() => 'hangs')
    expect(code).toBe(0)
    expect(stderr.match(/warning: 5 spans not sent to .*: it did not answer in time/g)).toHaveLength(1)
  })

  it('reports what a collector rejects', async () => {
    const { code, stderr } = await evaluate(({ nth }, response) =>
      response.end(nth === 1 ? '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too \\u001b[31mold"}}' : ''),
    )
    expect(code).toBe(0)
    expect(stderr).toContain('2 spans sent')
    expect(stderr).toMatch(/warning: the collector rejected 3 spans: too \S*\[31mold\n/)
    expect(stderr).not.toContain('\u001b[31m')
  })

  it('does not follow a redirect to another server', async () => {
    const other = await collector()
    const { stderr } = await evaluate((_, response) =>
      response.writeHead(307, { location: `${other.url}/v1/traces` }).end(),
    )
    await other.close()
    expect(other.calls).toEqual([])
    expect(stderr).toContain('5 spans not sent')
  })
})

describe('requests that cannot be sent', () => {
  const refused = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { code, stderr } = await assay(['eval', ...args], { cwd: suiteFolder(SUITE, YES_AND_NO), env })
    expect(code).toBe(2)
    return stderr
  }

  it.each([
    [['--otel', 'evals/'], 'must be the address of a collector'],
    [['--otel', 'ftp://x'], 'must be the address of a collector'],
    [['--otel', 'http://me:secret-1234@x'], 'cannot contain credentials'],
    [['--otel', 'http://x?key=secret-1234'], 'cannot contain credentials or a query'],
    [['--otel'], 'No collector given'],
    [['--otel-content'], '--otel-content needs --otel'],
    [['--otel', 'http://x', '--watch'], '--watch cannot be used with --otel'],
  ])('rejects %j', async (args, message) => {
    const stderr = await refused(args, { OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('secret-1234')
  })

  it.each(['planted-1234', 'key=%E0%A4planted', 'key=planted%0Ax'])(
    'rejects the headers %j without showing them',
    async headers => {
      const stderr = await refused(['--otel', 'http://x'], { OTEL_EXPORTER_OTLP_HEADERS: headers })
      expect(stderr).toContain('OTEL_EXPORTER_OTLP_HEADERS is invalid')
      expect(stderr).not.toContain('planted')
    },
  )
})
