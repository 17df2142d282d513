import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import {
  callsIn,
  type GitProject,
  madeIn,
  SUITE_FILE,
  supportProject,
  withBaseline,
} from '../../support/git-project.ts'
import { PROGRAM } from '../../support/program.ts'
import { recordsOf, runInfoOf } from '../../support/runs.ts'

const projects: GitProject[] = []
afterEach(() => {
  // Ends agents that outlived their run.
  for (const { cwd } of projects.splice(0)) writeFileSync(join(cwd, 'go'), '')
})

/** Starts an affected run of four attempts, and kills it while the third is in flight. */
async function killedRun(): Promise<GitProject> {
  const project = supportProject()
  projects.push(project)
  project.edit(
    'agent/agent.sh',
    'echo x',
    'if [ "$WAIT" ]; then [ "$(wc -l < calls.log)" -lt "$WAIT" ] || while [ ! -e go ]; do sleep 0.1; done; fi\necho x',
  )
  project.edit('.gitignore', 'calls.log', 'calls.log\ngo')
  await withBaseline(project)
  project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
  project.edit(SUITE_FILE, 'input: Grade me', 'input: Grade it')
  const env = { ...process.env, WAIT: String(callsIn(project) + 2) }
  const child = spawn(process.execPath, [PROGRAM, 'eval', '--affected', '--workers', '1'], { cwd: project.cwd, env })
  const ended = new Promise(resolve => child.on('close', resolve))
  await expect.poll(() => recordedIn(project), { timeout: 60_000 }).toBe(2)
  child.kill('SIGKILL')
  await ended
  return project
}

/** The number of results of the affected run. */
function recordedIn({ cwd }: GitProject): number {
  if (!existsSync(join(cwd, '.assay/runs/latest')) || !runInfoOf(cwd).carried) return 0
  return recordsOf(cwd).length
}

it('resumes an affected run after kill -9 with what it carried over', async () => {
  const project = await killedRun()
  const calls = callsIn(project)
  const saved = await project.assay('baseline', 'save')
  expect(saved.code).toBe(2)
  expect(saved.stderr).toContain('is not finished: 2 attempts not made')
  const { code, stderr } = await project.assay('eval', '--resume')
  expect(stderr).toContain('4 of 12 tests affected, 8 carried over from baseline main\n')
  expect(stderr).toContain('4 tests: not carried over when the run began\n')
  expect(stderr).not.toContain('new test')
  expect(stderr).toContain('Resuming: 2 of 4 attempts recorded.')
  expect(stderr).toContain('quality gate failed: 2 of 12 tests failed')
  expect(code).toBe(1)
  expect(callsIn(project)).toBe(calls + 2)
  expect(madeIn(project)).toHaveLength(4)
  expect((await project.assay('baseline', 'save')).stdout).toContain('12 results (4 updated, 8 the same)')
  expect(await project.affected()).toEqual([])
})

it('carries nothing over in a resumed run if the agent was edited meanwhile', async () => {
  const project = await killedRun()
  project.edit('agent/rules.sh', 'Hello', 'Hello-there')
  const { stderr } = await project.assay('eval', '--resume')
  expect(stderr).toContain('12 of 12 tests affected, 0 carried over from baseline main\n')
  expect(stderr).toContain('8 tests: agent/rules.sh changed\n')
  expect(stderr).toContain('2 attempts made again: agent/rules.sh changed.')
  expect(recordsOf(project.cwd).filter(({ answer }) => answer?.includes('Hello-there'))).toHaveLength(12)
  expect(runInfoOf(project.cwd).carried?.tests).toEqual([])
  await project.assay('baseline', 'save')
  expect(await project.affected()).toEqual([])
})
