import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FULL_MARK, judgeFolder, runJudges } from '../../../support/judges/judge-suite.ts'
import { PROGRAM } from '../../../support/program.ts'
import {
  endLeftovers,
  expectNoProcesses,
  linesOf,
  markerEnv,
  processesOf,
  resultsIn,
  temporaryFiles,
} from '../../../support/suite-run.ts'

afterEach(endLeftovers)

const CORES = availableParallelism()

/** An agent that logs each call. */
const AGENT = { name: 'default', provider: 'cli', command: ['sh', '-c', 'echo asked >> asked.txt; echo ok'] }

/** A judge that logs its start, and hangs with a child unless `hurry` exists. */
function hanging(onTerm: string): string {
  return `${onTerm}
echo judged >> judged.txt
if [ ! -e hurry ]; then
  (trap '' TERM; sleep 300) &
  while :; do sleep 300 & wait $!; done
fi
cat score.json
`
}

function hangingFolder(onTerm: string, judges: number): string {
  const checks = Array.from({ length: judges }, (_, index) => ({
    type: 'code_judge',
    name: `judge-${index}`,
    command: ['sh', './hanging.sh'],
  }))
  return judgeFolder({
    tests: [
      { id: 'quick', assert: [{ type: 'code_judge', command: ['cat', './score.json'] }] },
      { id: 'slow', assert: [{ type: 'contains', value: 'ok' }, ...checks] },
    ],
    targets: [AGENT],
    files: { 'hanging.sh': hanging(onTerm), 'score.json': FULL_MARK, 'low.json': '{"score": 0}\n' },
  })
}

/** Sends SIGINT when the quick test is recorded and the given number of judges hang. */
async function interrupt(folder: string, judges: number): Promise<{ code: number | null; stderr: string }> {
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env
  const child = spawn(process.execPath, [PROGRAM, 'eval', '--workers', '1'], {
    cwd: folder,
    env: { ...env, ...markerEnv(folder) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  await expect.poll(() => linesOf(join(folder, 'judged.txt')).length, { timeout: 60_000 }).toBe(judges)
  expect((await processesOf(folder)).length).toBeGreaterThan(judges)
  child.kill('SIGINT')
  return { code: await ended, stderr }
}

const recordedIds = (folder: string) => resultsIn(folder).map(({ test_id }) => test_id)

describe('Ctrl-C during grading', () => {
  it.each([
    ['that obey', ''],
    ['that ignore SIGTERM', "trap '' TERM"],
    ['that print a score on SIGTERM', "trap 'cat low.json; exit 0' TERM"],
  ])('stops judges %s, and --resume grades the recorded answer', async (_, onTerm) => {
    const folder = hangingFolder(onTerm, 1)
    const { code, stderr } = await interrupt(folder, 1)
    expect(code).toBe(130)
    expect(stderr).toContain('assay eval --resume=')
    await expectNoProcesses(folder)
    expect(temporaryFiles(folder)).toEqual([])
    expect(recordedIds(folder)).toEqual(['quick'])
    writeFileSync(join(folder, 'hurry'), '')
    const resumed = await runJudges(folder, ['--resume'])
    expect(resumed.stderr).toContain('2 passed')
    expect(resumed.code).toBe(0)
    expect(linesOf(join(folder, 'asked.txt'))).toHaveLength(2)
    expect(linesOf(join(folder, 'judged.txt'))).toHaveLength(2)
    expect(recordedIds(folder)).toEqual(['quick', 'slow'])
    expect(resumed.check('judge-0', 'slow').score).toBe(1)
  })

  it('does not start pending judges', async () => {
    const folder = hangingFolder('', 2 * CORES + 2)
    const { code } = await interrupt(folder, 2 * CORES)
    expect(code).toBe(130)
    await expectNoProcesses(folder)
    expect(linesOf(join(folder, 'judged.txt'))).toHaveLength(2 * CORES)
    expect(recordedIds(folder)).toEqual(['quick'])
  })
})

describe('many judges', () => {
  it('never run more at once than the workers or two per core', async () => {
    const command = 'echo 1 >> turns.txt; sleep 0.1; echo -1 >> turns.txt; cat score.json'
    const checks = ['one', 'two'].map(name => ({ type: 'code_judge', name, command }))
    const folder = judgeFolder({
      tests: Array.from({ length: 60 }, (_, index) => ({ id: `t${index}`, assert: checks })),
      files: { 'score.json': FULL_MARK },
    })
    const { stderr, code } = await runJudges(folder, ['--workers', '8'])
    expect(stderr).toContain('60 passed')
    expect(code).toBe(0)
    let running = 0
    let most = 0
    for (const line of linesOf(join(folder, 'turns.txt'))) {
      running += Number(line)
      most = Math.max(most, running)
    }
    expect(linesOf(join(folder, 'turns.txt'))).toHaveLength(240)
    expect(most).toBeLessThanOrEqual(Math.max(8, 2 * CORES))
    expect(most).toBeGreaterThan(2)
    await expectNoProcesses(folder)
  })
})
