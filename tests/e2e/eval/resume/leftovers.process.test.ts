import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith, PROGRAM, assay as program } from '../../../support/program.ts'
import { latestId, runIds, wordTest, YES_AND_NO } from '../../../support/runs.ts'
import { endLeftovers, markerEnv, suiteFolder, temporaryFiles } from '../../../support/suite-run.ts'

afterAll(endLeftovers)

it('removes workspaces of a killed run, except those of recorded answers', async () => {
  const script = `require('node:fs').existsSync('slow') ? setTimeout(() => {}, 60000) : console.log('no')`
  const targets = ['default', 'slow'].map(name => ({
    ...{ name, provider: 'cli', command: ['node', '-e', script] },
    workspace: name,
  }))
  const tests = [wordTest('fails', 'Hi', 'yes'), wordTest('hangs', 'Hi', 'yes', { execution: { target: 'slow' } })]
  const folder = suiteFolder({ tests }, targets, { 'default/x.txt': '', 'slow/slow': '' })
  const env = { ...process.env, ...markerEnv(folder) }
  const child = spawn(process.execPath, [PROGRAM, 'eval'], { cwd: folder, env, stdio: 'ignore' })
  const isRecorded = () =>
    readdirSync(join(folder, '.assay')).includes('runs') &&
    runIds(folder).some(id => {
      const file = join(folder, '.assay/runs', id, 'results.jsonl')
      return existsSync(file) && readFileSync(file, 'utf8').includes('"fails"')
    })
  // A kept workspace, one in use, and the file that names its process.
  await expect.poll(() => isRecorded() && temporaryFiles(folder).length, { timeout: 60_000 }).toBe(3)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(temporaryFiles(folder)).toHaveLength(3)
  await program(['eval', '--test-id', 'fails', '-q'], { cwd: folder, env: markerEnv(folder) })
  const left = temporaryFiles(folder)
  expect(left.filter(name => name.endsWith('.owner'))).toEqual([])
  expect(left.filter(name => existsSync(join(folder, 'tmp', name, 'slow')))).toEqual([])
  expect(left.filter(name => existsSync(join(folder, 'tmp', name, 'x.txt')))).toHaveLength(2)
})

it('removes the folder of a killed merge, which no command treats as a run', async () => {
  const cwd = folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'words', tests: [wordTest('good', 'yes', 'yes')] }),
    '.assay/targets.yaml': YES_AND_NO,
  })
  await assay(['eval', '-q'], { cwd })
  const id = latestId(cwd)
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'exit')
  const half = (name: string, pid = dead.pid) =>
    folderWith(
      { 'run.json': '{}', 'results.jsonl': '', lock: JSON.stringify({ pid, host: hostname() }) },
      join(cwd, '.assay/runs', name),
    )
  const left = half('.merging-20990101-000000-aaaa')
  const running = half('.merging-20990101-000000-bbbb', process.ppid)
  const { code, stderr } = await assay(['explain', '2099', '*'], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Run 2099 not found in `)])
  expect(stderr).toContain(`; the latest are ${id}.`)
  await assay(['eval', '-q'], { cwd })
  expect([existsSync(left), existsSync(running)]).toEqual([false, true])
})

it('writes a complete run and nothing else when it merges', async () => {
  const cwd = folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'words', tests: ['a', 'b'].map(id => wordTest(id, 'yes', 'yes')) }),
    '.assay/targets.yaml': YES_AND_NO,
  })
  const shards: string[] = []
  for (const shard of ['1/2', '2/2']) {
    await assay(['eval', '-q', '--shard', shard], { cwd })
    shards.push(latestId(cwd))
  }
  expect((await assay(['merge', ...shards], { cwd })).code).toBe(0)
  expect(runIds(cwd)).toEqual([...shards, latestId(cwd)].sort())
  expect(readdirSync(join(cwd, '.assay/runs', latestId(cwd))).sort()).toEqual([
    'answers.jsonl',
    'results.jsonl',
    'run.json',
  ])
})
