import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { folderWith, PROGRAM } from '../../../support/program.ts'
import { wordTest } from '../../../support/runs.ts'
import { type Collector, collector } from '../../../support/servers/otlp-collector.ts'

let receiver: Collector
afterEach(() => receiver.close())

/** A test that answers at once, and one that hangs until it is ended. */
const FOLDER = {
  'EVAL.yaml': JSON.stringify({ tests: [wordTest('quick', 'quick', 'quick'), wordTest('slow', 'slow', 'slow')] }),
  '.assay/targets.yaml': JSON.stringify({
    targets: [
      {
        name: 'default',
        provider: 'cli',
        command: 'read -r text; case $text in slow) touch hangs; exec sleep 300; esac; echo $text',
      },
    ],
  }),
}

/** Starts a run, and interrupts it when one attempt is recorded and the other one hangs. */
async function interrupt(): Promise<{ code: number | null; stderr: string; cwd: string }> {
  const cwd = folderWith(FOLDER)
  const child = spawn(process.execPath, [PROGRAM, 'eval', '--otel', receiver.url], {
    cwd,
    env: { ...process.env, CI: 'true' },
  })
  let stderr = ''
  let isSent = false
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const watch = setInterval(() => {
    if (!isSent && /\] pass quick/.test(stderr) && existsSync(join(cwd, 'hangs'))) isSent = child.kill('SIGINT')
  }, 20)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  return { code, stderr, cwd }
}

it('sends what is recorded before it ends after Ctrl-C, without the span of the run', async () => {
  receiver = await collector()
  const { code, stderr } = await interrupt()
  expect(code).toBe(130)
  expect(receiver.spans.map(({ name }) => name)).toEqual(['test quick', 'invoke_agent default'])
  expect(stderr).toContain('2 spans sent')
  expect(stderr).toContain(`--otel ${receiver.url}`)
})

it('ends after Ctrl-C although the collector hangs', async () => {
  receiver = await collector(() => 'hangs')
  const { code, stderr } = await interrupt()
  expect(code).toBe(130)
  expect(stderr.match(/warning: 2 spans not sent/g)).toHaveLength(1)
})
