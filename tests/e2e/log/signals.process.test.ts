import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bytesOf, COUNTING, COUNTING_AGENT, logsFolder, logText } from '../../support/logs/written-logs.ts'
import { PROGRAM } from '../../support/program.ts'
import { linesOf } from '../../support/suite-run.ts'

it('leaves all logs as they were when log eval is interrupted', async () => {
  const logs = {
    waits: logText([
      { input: 'Count', expected: '1. Count' },
      { input: 'Now wait', expected: 'x' },
    ]),
  }
  const folder = logsFolder(logs, [COUNTING], { 'agent.mjs': COUNTING_AGENT })
  const before = bytesOf(folder)
  const child = spawn(process.execPath, [PROGRAM, 'log', 'eval'], { cwd: folder })
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
  })
  child.stderr.on('data', chunk => {
    text += chunk
  })
  const closed = new Promise(resolve => child.on('close', resolve))
  await expect.poll(() => linesOf(join(folder, 'waiting.txt')), { timeout: 60_000 }).toHaveLength(1)
  child.kill('SIGINT')
  expect(await closed).toBe(130)
  expect(text).toContain('Stopping')
  expect(bytesOf(folder)).toEqual(before)
})
