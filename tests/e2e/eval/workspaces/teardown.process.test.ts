import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { suiteWith } from '../../../support/evaluation.ts'
import { folderWith, PROGRAM } from '../../../support/program.ts'
import {
  endLeftovers,
  expectNoProcesses,
  linesOf,
  markerEnv,
  resultsIn,
  suiteFolder,
  temporaryFiles,
} from '../../../support/suite-run.ts'

afterEach(endLeftovers)

describe('Ctrl-C', () => {
  it.each([
    ['the agent', { setup: 'true', command: 'touch agent; echo x >> "$STARTED"; sleep 300' }],
    ['setup', { setup: 'touch agent; echo x >> "$STARTED"; sleep 300', command: 'cat' }],
  ])('during %s runs teardown before the workspace is removed', async (_, fields) => {
    const tests = ['a', 'b'].map(id => ({ id, input: 'x' }))
    const folder = suiteFolder({ tests: JSON.parse(suiteWith(tests)).tests }, [])
    const teardown = 'sleep 0.5; ls agent >> "$ENDED"'
    const targets = [{ name: 'default', provider: 'cli', workspace: 'app', workers: 2, teardown, ...fields }]
    folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }), 'app/a': '' }, folder)
    const env = { STARTED: join(folder, 'started'), ENDED: join(folder, 'ended') }
    const child = spawn(process.execPath, [PROGRAM, 'eval'], {
      cwd: folder,
      env: { ...process.env, ...env, ...markerEnv(folder) },
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.on('close', resolve))
    await expect.poll(() => linesOf(env.STARTED), { timeout: 60_000 }).toHaveLength(2)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(linesOf(env.ENDED)).toEqual(['agent', 'agent'])
    expect(resultsIn(folder)).toEqual([])
    expect(temporaryFiles(folder)).toEqual([])
    await expectNoProcesses(folder)
  })
})
