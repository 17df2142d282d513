import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROGRAM } from '../../../support/program.ts'
import { suiteFolder } from '../../../support/suite-run.ts'
import { callsIn } from '../resume/call-log.ts'

const WAITS = 'requests_per_minute reached'

/** Runs `assay eval` until it ends or waits for the request limit; then it is interrupted, once. */
function evaluateUntilItWaits(cwd: string): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'eval'], { cwd, timeout: 200_000 })
    let stderr = ''
    child.stderr.on('data', chunk => {
      const isWaiting = stderr.includes(WAITS)
      stderr += chunk
      if (!isWaiting && stderr.includes(WAITS)) child.kill('SIGINT')
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, stderr }))
  })
}

it('applies requests_per_minute across concurrent and successive runs', async () => {
  const target = {
    name: 'default',
    provider: 'cli',
    command: 'echo asked >> calls.txt; echo yes',
    requests_per_minute: 3,
  }
  const tests = ['a', 'b'].map(id => ({
    id,
    criteria: 'Agrees',
    input: id,
    assert: [{ type: 'equals', value: 'yes' }],
  }))
  const cwd = suiteFolder({ tests }, [target])
  const both = await Promise.all([evaluateUntilItWaits(cwd), evaluateUntilItWaits(cwd)])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 130])
  expect(callsIn(cwd)).toHaveLength(3)
  const third = await evaluateUntilItWaits(cwd)
  expect([third.code, callsIn(cwd).length]).toEqual([130, 3])
  expect(third.stderr).toContain(WAITS)
  expect(readdirSync(join(cwd, '.assay/cache/requests'))).toEqual([expect.stringMatching(/^[0-9a-f]+\.json$/)])
})
