import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { FULL_MARK, judgeFolder } from '../../support/judges/judge-suite.ts'
import { PROGRAM } from '../../support/program.ts'
import { latestId } from '../../support/runs.ts'
import { endLeftovers, evaluate, expectNoProcesses, linesOf, markerEnv, resultsIn } from '../../support/suite-run.ts'

afterEach(endLeftovers)

/** A judge that logs its start, and hangs unless `hurry` exists. */
const HANGING = `echo judged >> judged.txt
if [ ! -e hurry ]; then while :; do sleep 300 & wait $!; done; fi
cat score.json
`

it('stops judges on Ctrl-C, keeps finished grades, and prints the resume command', async () => {
  const agent = { name: 'default', provider: 'cli', command: ['sh', '-c', 'echo asked >> asked.txt; echo ok'] }
  const judge = (path: string) => [{ type: 'code_judge', command: ['sh', '-c', path] }]
  const cwd = judgeFolder({
    tests: [
      { id: 'quick', assert: judge('cat score.json') },
      { id: 'slow', input: 'Slowly', assert: judge('. ./hanging.sh') },
    ],
    targets: [agent],
    files: { 'hanging.sh': HANGING, 'score.json': FULL_MARK, hurry: '' },
  })
  expect((await evaluate(cwd, ['--quiet'])).code).toBe(0)
  const source = latestId(cwd)
  rmSync(join(cwd, 'hurry'))
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env
  const by = ['--suite', 'EVAL.yaml', '--judge', 'default']
  const child = spawn(process.execPath, [PROGRAM, 'grade', source, ...by, '--workers', '1'], {
    cwd,
    env: { ...env, ...markerEnv(cwd) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  await expect.poll(() => linesOf(join(cwd, 'judged.txt')).length, { timeout: 60_000 }).toBe(2)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(stderr).toContain(`\nResume with: assay grade ${source} ${by.join(' ')}\n`)
  expect(resultsIn(cwd).map(({ test_id }) => test_id)).toEqual(['quick'])
  await expectNoProcesses(cwd)
  expect(linesOf(join(cwd, 'asked.txt'))).toEqual(['asked', 'asked'])
})
