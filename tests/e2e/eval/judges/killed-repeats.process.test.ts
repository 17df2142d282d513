import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { judgeFolder, OK, runJudges } from '../../../support/judges/judge-suite.ts'
import { PROGRAM } from '../../../support/program.ts'
import { model, targetOf } from '../../../support/servers/model-servers.ts'
import { type Server, serve } from '../../../support/servers/server.ts'
import { resultsIn } from '../../../support/suite-run.ts'

/** Answers the first four calls, then none until it is told to. */
let server: Server
let isAnswering = false
beforeAll(async () => {
  let calls = 0
  server = await serve((call, response) => {
    if (++calls > 4 && !isAnswering) return
    return model('openai_compatible', { text: JSON.stringify({ score: 1, reasoning: '' }) })(call, response)
  })
})
afterAll(() => server.close())

it('a run that is killed between repeats is resumed with all of them, and asks no target again', async () => {
  const folder = judgeFolder({
    tests: ['a', 'b'].map(id => ({ id, assert: [{ type: 'llm_judge' }] })),
    targets: [...OK, { name: 'judge', ...targetOf('openai_compatible', server.url), retries: 0 }],
  })
  const args = [PROGRAM, 'eval', '--judge-repeats', '3', '--workers', '1']
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  const ended = new Promise(resolve => child.on('close', resolve))
  await expect.poll(() => server.calls.length, { timeout: 60_000 }).toBe(6)
  child.kill('SIGKILL')
  await ended
  expect(resultsIn(folder).map(({ test_id, judge_scores }) => [test_id, judge_scores])).toEqual([['a', [1, 1, 1]]])
  isAnswering = true
  const { results } = await runJudges(folder, ['--resume'])
  expect(results.map(({ judge_scores }) => judge_scores)).toEqual([
    [1, 1, 1],
    [1, 1, 1],
  ])
  expect(server.calls).toHaveLength(9)
})
