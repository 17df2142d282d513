import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { sha256 } from '../../src/lib/sha256.ts'
import { LogFolder } from '../../src/log/log-folder.ts'
import type { LoggedRun } from '../../src/log/logged-run.ts'
import { RunLogger } from '../../src/log/run-logger.ts'
import type { Host } from '../../src/model/host.ts'
import type { HostFiles } from '../../src/model/host-files.ts'
import type { Result } from '../../src/model/result.ts'
import { assay } from '../support/in-process.ts'
import { type LogContent, logsWith, runOf } from '../support/logs/log-files.ts'
import { bytesOf } from '../support/logs/written-logs.ts'
import { folderWith } from '../support/program.ts'
import { resultsIn, suiteFolder } from '../support/suite-run.ts'

function manyRuns(count: number, input = 'hi'): LoggedRun[] {
  return Array.from({ length: count }, (_, index) => ({
    ...runOf(input, `answer ${index + 1}`),
    attempt: sha256(`${input} ${index + 1}`),
  }))
}

/** A host that counts how often each file is written. */
function counting(): { host: Host; writes: Map<string, number> } {
  const own = nodeHost()
  const writes = new Map<string, number>()
  const write: HostFiles['write'] = (path, text) => {
    writes.set(path, (writes.get(path) ?? 0) + 1)
    return own.files.write(path, text)
  }
  return { host: { ...own, files: { ...own.files, write } }, writes }
}

const numbers = (turn: LogContent): number[] => [turn, ...turn.history].map(({ run }: LogContent) => run)

describe('runs that are added together', () => {
  it('give the same log as runs added one by one', async () => {
    const { host, writes } = counting()
    const together = logsWith({}, host)
    const runs = [...manyRuns(40), ...manyRuns(3, 'Other'), ...manyRuns(2, 'other')].toSorted((a, b) =>
      (a.attempt ?? '').localeCompare(b.attempt ?? ''),
    )
    const { written, known } = await together.folder.addAll(runs)
    expect([written.length, known, writes.get(join(together.path, 'hi.yaml'))]).toEqual([45, 0, 1])
    const single = logsWith()
    for (const run of runs) await single.add(run)
    const texts = (path: string) => Object.values(bytesOf(path, '.'))
    expect(texts(together.path)).toEqual(texts(single.path))
  })

  it('may be empty', async () => {
    const logs = logsWith()
    expect(await logs.folder.addAll([])).toEqual({ written: [], known: 0 })
  })

  it('leave a log of the runs before an error', async () => {
    const own = nodeHost()
    const full = (path: string) =>
      path.endsWith('run_20.yaml') ? Promise.reject(new Error('ENOSPC: no space left on device')) : undefined
    const write: HostFiles['write'] = (path, text) => full(path) ?? own.files.write(path, text)
    const logs = logsWith({}, { ...own, files: { ...own.files, write } })
    await expect(logs.folder.addAll(manyRuns(40))).rejects.toThrow(/^Cannot write .*run_20\.yaml: ENOSPC/)
    expect(numbers(logs.yaml('hi').turns[0])).toEqual(Array.from({ length: 16 }, (_, index) => 16 - index))
  })

  it('can be stopped, with every written run in the log', async () => {
    const logs = logsWith()
    let checks = 0
    const { written } = await logs.folder.addAll(manyRuns(100), { isOver: () => ++checks > 3 })
    expect(written.length).toBe(32)
    expect(numbers(logs.yaml('hi').turns[0]).length).toBe(32)
    expect(logs.names('hi').length).toBe(32)
  })

  it('do not wait for a lock after they are stopped', async () => {
    const lock = JSON.stringify({ pid: process.ppid, host: hostname(), nonce: 0.5 })
    const logs = logsWith({ '.hi.lock': lock })
    let checks = 0
    expect(await logs.folder.addAll(manyRuns(2), { isOver: () => ++checks > 2 })).toEqual({ written: [], known: 0 })
    expect(logs.names()).toEqual(['.hi.lock'])
  })
})

describe('runs whose attempts may be logged already', () => {
  it('are added once', async () => {
    const logs = logsWith()
    const runs = manyRuns(20)
    await logs.folder.addAll(runs.slice(5, 9))
    await logs.add(runOf('hi', 'by hand'))
    expect(await logs.folder.addAll(runs, { onlyNew: true })).toMatchObject({ written: { length: 16 }, known: 4 })
    const before = bytesOf(logs.path, '.')
    expect(await new LogFolder(logs.path, nodeHost(), expect.unreachable).addAll(runs, { onlyNew: true })).toEqual({
      written: [],
      known: 20,
    })
    expect(bytesOf(logs.path, '.')).toEqual(before)
    expect(numbers(logs.yaml('hi').turns[0])).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index))
  })

  it('include run files that a killed writer did not list', async () => {
    const logs = logsWith()
    const runs = manyRuns(4)
    await logs.folder.addAll(runs.slice(0, 1))
    const one = readFileSync(join(logs.path, 'hi.yaml'), 'utf8')
    await logs.folder.addAll(runs.slice(1, 3))
    writeFileSync(join(logs.path, 'hi.yaml'), one)
    const { written, known } = await logs.folder.addAll(runs.toReversed(), { onlyNew: true })
    expect([written.map(({ run }) => run), known]).toEqual([[2, 3, 4], 1])
    const [turn] = logs.yaml('hi').turns
    expect([turn, ...turn.history].map(({ run, output }: LogContent) => `${run} ${output}`)).toEqual([
      '4 answer 4',
      '3 answer 3',
      '2 answer 2',
      '1 answer 1',
    ])
    expect(logs.names('hi')).toEqual([1, 2, 3, 4].map(run => `run_${run}.yaml`))
  })

  it('ignore first lines written by other programs', async () => {
    const [run] = manyRuns(1) as [LoggedRun]
    const files = [
      `# assay attempt ${run.attempt}`,
      `x # assay attempt ${run.attempt}\n`,
      '# assay attempt abc\n',
      '\0\xff',
    ]
    const logs = logsWith(Object.fromEntries(files.map((text, index) => [`hi/run_${index + 1}.yaml`, text])))
    expect(await logs.folder.addAll([run], { onlyNew: true })).toEqual({ written: [{ name: 'hi', run: 5 }], known: 0 })
  })
})

describe('leftovers of killed writers', () => {
  const dead = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), nonce: 0.5 })

  it('are removed by the next writer, also in other logs', async () => {
    const logs = logsWith({
      'hi.yaml.0123abcd.12.0.tmp': 'turns:',
      'hi/run_7.yaml.0123abcd.12.1.tmp': 'model:',
      '.other.lock': dead,
      'other.yaml.0123abcd.13.0.tmp': '',
      'other/run_1.yaml.0123abcd.13.1.tmp': '',
      'other/run_1.yaml': 'kept',
    })
    await logs.add(runOf('hi'))
    expect(logs.names()).toEqual(['hi', 'hi.yaml', 'other'])
    expect([logs.names('hi'), logs.names('other')]).toEqual([['run_1.yaml'], ['run_1.yaml']])
  })

  it('are distinguished from drafts of a running writer and from user files', async () => {
    const alive = JSON.stringify({ pid: process.ppid, host: hostname(), nonce: 0.5 })
    const files = {
      '.busy.lock': alive,
      'busy.yaml.0123abcd.12.0.tmp': 'x',
      'busy/run_1.yaml.0123abcd.12.1.tmp': 'x',
      'notes.tmp': 'x',
      'hi.yaml.tmp': 'x',
      'hi.yaml.1.tmp': 'x',
      'hi/notes.0123abcd.1.2.tmp': 'x',
    }
    const logs = logsWith(files)
    await logs.add(runOf('hi'))
    for (const file of Object.keys(files)) expect(logs.text(file)).toBe(file === '.busy.lock' ? alive : 'x')
  })
})

describe('a folder with hostile names', () => {
  it('is cleaned up without touching other folders', async () => {
    const above = folderWith({ 'run_1.yaml.1.2.tmp': 'x', 'evals/....lock': 'x', 'evals/..yaml.1.2.tmp': 'x' })
    const logs = new LogFolder(join(above, 'evals'), nodeHost(), expect.unreachable)
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: 1 })
    expect(readFileSync(join(above, 'run_1.yaml.1.2.tmp'), 'utf8')).toBe('x')
  })

  it('with pipes in place of files does not block', async () => {
    const logs = logsWith({ 'hi/run_1.yaml': 'x' })
    for (const name of ['hi/run_2.yaml', 'bye.yaml']) execFileSync('mkfifo', [join(logs.path, name)])
    expect(await logs.folder.addAll(manyRuns(1), { onlyNew: true })).toEqual({
      written: [{ name: 'hi', run: 3 }],
      known: 0,
    })
    expect(await logs.add(runOf('bye'))).toEqual({ name: 'bye_2', run: 1 })
    await expect(logs.folder.read('bye')).rejects.toThrow(/^Cannot read .*bye\.yaml: it is not a regular file$/)
  })
})

describe('the log of a run', () => {
  it('is not written for every attempt', async () => {
    const cwd = suiteFolder(
      { tests: [{ id: 'a', input: 'hi', criteria: 'Greets', assert: [{ type: 'contains', value: 'Hello' }] }] },
      [{ name: 'default', provider: 'mock', response: 'Hello!' }],
    )
    await assay(['eval', '--quiet'], { cwd })
    const [result] = resultsIn(cwd) as [Result]
    const { host, writes } = counting()
    const logs = logsWith({}, host)
    const log = new RunLogger(logs.folder, {
      host,
      cwd,
      targets: [],
      result: attempt_id => ({ ...result, attempt_id }),
    })
    for (let index = 0; index < 400; index++) {
      log.add(`attempt-${index}`)
      await host.clock.sleep(0)
    }
    await log.finished()
    expect([log.count, log.left, log.problem]).toEqual([400, 0, undefined])
    expect(numbers(logs.yaml('hi').turns[0])).toEqual(Array.from({ length: 400 }, (_, index) => 400 - index))
    expect(writes.get(join(logs.path, 'hi.yaml'))).toBeLessThan(80)
  })
})
