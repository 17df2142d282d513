import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { recordsOf, suiteFolder, wordTest } from '../../../support/runs.ts'
import { type Answer, type Collector, collector } from '../../../support/servers/otlp-collector.ts'

let receiver: Collector | undefined
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})

const SUITE = { tests: [wordTest('a', 'yes', 'yes'), wordTest('b', 'yes', 'yes')] }

async function evaluate(answer?: Answer, env: Record<string, string> = {}, cwd = suiteFolder(SUITE)) {
  receiver = await collector(answer)
  return assay(['eval', '--otel', receiver.url], { cwd, env: { OTEL_EXPORTER_OTLP_HEADERS: '', ...env } })
}

describe('answers of a collector', () => {
  it('are read if they are compressed', async () => {
    const partial = gzipSync('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too long"}}')
    const { stderr } = await evaluate(({ nth }, response) =>
      nth === 1 ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(partial) : undefined,
    )
    expect(stderr).toContain('4 spans sent')
    expect(stderr).toContain('the collector rejected 1 span: too long')
  })

  it('never make more spans than were sent', async () => {
    for (const rejected of ['-7', '"1e99"', '"none"', 'null', '{}']) {
      const { code, stderr } = await evaluate((_, response) =>
        response.end(`{"partialSuccess":{"rejectedSpans":${rejected}}}`),
      )
      expect([rejected, code]).toEqual([rejected, 0])
      expect(stderr).toContain('5 spans sent')
      await receiver?.close()
    }
    const { stderr } = await evaluate((_, response) => response.end('{"partialSuccess":{"rejectedSpans":900}}'))
    expect(stderr).toContain('the collector rejected 5 spans')
    expect(stderr).not.toContain('spans sent')
  })

  it.each([400, 404, 413, 500, 501])('with status %i are not asked for again', async status => {
    const { code, stderr } = await evaluate((_, response) => response.writeHead(status).end('no\u001b[31m'))
    expect(code).toBe(0)
    expect(receiver?.calls).toHaveLength(2)
    expect(stderr).toContain(`5 spans not sent to ${receiver?.url}/v1/traces: it answered ${status}`)
    expect(stderr).not.toContain('\u001b[31m')
  })

  it('may name a date to try again', async () => {
    const { stderr } = await evaluate(({ nth }, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after': new Date(0).toUTCString() }).end() : undefined,
    )
    expect(stderr).toContain('5 spans sent')
  })

  it('show no header, also if they quote it', async () => {
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=planted-key-1234,x-team=planted5678planted' }
    const { stderr } = await evaluate(
      ({ headers }, response) => response.writeHead(401).end(`${headers['api-key']} of ${headers['x-team']} expired`),
      env,
    )
    expect(stderr).toContain('it answered 401')
    expect(stderr).not.toContain('planted')
  })
})

describe('headers', () => {
  it('stay out of records and spans, also if an agent prints them', async () => {
    const cwd = folderWith({
      'EVAL.yaml': JSON.stringify({ tests: [wordTest('a', 'yes', 'yes')] }),
      '.assay/targets.yaml': JSON.stringify({
        targets: [{ name: 'default', provider: 'cli', command: 'echo yes $OTEL_EXPORTER_OTLP_HEADERS' }],
      }),
    })
    receiver = await collector()
    // The header of a service whose name does not tell that it is a key.
    const key = 'planted0123456789abc'
    const env = { OTEL_EXPORTER_OTLP_HEADERS: `x-acme-team=${key}`, OTEL_RESOURCE_ATTRIBUTES: `owner=${key}` }
    const { code, stdout, stderr } = await assay(['eval', '--otel', receiver.url, '--otel-content', '-v'], { cwd, env })
    expect(code).toBe(0)
    expect(receiver.calls[0]?.headers['x-acme-team']).toBe(key)
    const bodies = receiver.calls.map(({ body }) => body).join()
    expect(stdout + stderr + bodies + JSON.stringify(recordsOf(cwd))).not.toContain('planted')
  })
})
