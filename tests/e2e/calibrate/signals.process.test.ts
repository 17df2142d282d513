import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { folderWith, PROGRAM } from '../../support/program.ts'
import { recordsOf, runIds } from '../../support/runs.ts'
import { endLeftovers, evaluate, expectNoProcesses, linesOf, markerEnv } from '../../support/suite-run.ts'
import { labelOf, writeLabels } from './judged-world.ts'

afterEach(endLeftovers)

it('stops the probe on Ctrl-C, after the calibration was written', async () => {
  const judge = `echo asked >> asked.txt; [ -e slow ] && sleep 300; echo '{"score": 1, "reasoning": "ok"}'`
  const cwd = folderWith({
    'tmp/.keep': '',
    'EVAL.yaml': JSON.stringify({
      name: 'world',
      tests: [{ id: 'a', criteria: 'x', input: 'Hi', assert: [{ type: 'llm_judge' }] }],
    }),
    '.assay/targets.yaml': JSON.stringify({
      targets: [
        { name: 'default', provider: 'mock', response: 'It is right.' },
        { name: 'judge', provider: 'cli', command: ['sh', '-c', judge] },
      ],
    }),
  })
  expect((await evaluate(cwd, ['--quiet'])).code).toBe(0)
  writeLabels(
    cwd,
    recordsOf(cwd).map(result => labelOf(result)),
  )
  writeFileSync(join(cwd, 'slow'), '')
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env
  const child = spawn(process.execPath, [PROGRAM, 'calibrate', '--probe'], {
    cwd,
    env: { ...env, ...markerEnv(cwd) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (printed += chunk))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  await expect.poll(() => linesOf(join(cwd, 'asked.txt')).length, { timeout: 60_000 }).toBe(2)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(printed).toContain('wrote .assay/calibration/')
  expect(printed).toContain('consistency: unknown, the probe was interrupted')
  expect(runIds(cwd)).toHaveLength(1)
  await expectNoProcesses(cwd)
})
