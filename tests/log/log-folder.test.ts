import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { LogError } from '../../src/log/log.ts'
import type { Host } from '../../src/model/host.ts'
import { type LogContent, logsWith, runOf } from '../support/logs/log-files.ts'

describe('a new log', () => {
  it('has the keys of the format in order, and earlier runs in the history', async () => {
    const logs = logsWith()
    await logs.add({ ...runOf('Say hello to Alice'), timestamp: '2025-12-25 11:56:26' })
    await logs.add({ ...runOf('Say hello to Alice', 'Hi, Alice!'), timestamp: '2025-12-25 11:56:56' })
    expect(logs.text('say_hello_to_alice.yaml')).toBe(`name: say_hello_to_alice
created: '2025-12-25 11:56:26'
updated: '2025-12-25 11:56:56'
runs: 2
model: small
turns:
- input: Say hello to Alice
  run: 2
  output: Hi, Alice!
  tools_called:
  - greet(name='Alice')
  expected: ''
  evaluation: ''
  meta: '{"tokens": 5, "cost": 0.0, "duration_ms": 7, "ts": "2025-12-25 11:56:56"}'
  history:
  - run: 1
    output: Hello!
    tools_called:
    - greet(name='Alice')
    expected: ''
    evaluation: ''
    meta: '{"tokens": 5, "cost": 0.0, "duration_ms": 7, "ts": "2025-12-25 11:56:26"}'
`)
    expect(logs.names('say_hello_to_alice')).toEqual(['run_1.yaml', 'run_2.yaml'])
  })

  it('is created with its folders, one file per conversation', async () => {
    const logs = logsWith()
    expect(await logs.add(runOf('Hi!'))).toEqual({ name: 'hi', run: 1 })
    expect(await logs.add(runOf('Hi?'))).toEqual({ name: 'hi_2', run: 1 })
    expect(await logs.add(runOf(['Hi!', 'And Bob']))).toEqual({ name: 'hi_3', run: 1 })
    expect(await logs.add(runOf(['Hi!', 'And Bob', 'And Carol']))).toEqual({ name: 'hi_4', run: 1 })
    expect(await logs.add(runOf('Hi 2'))).toEqual({ name: 'hi_2_2', run: 1 })
    expect(await logs.add(runOf(['Hi!', 'And Bob']))).toEqual({ name: 'hi_3', run: 2 })
    expect(await logs.add(runOf('Hi!'))).toEqual({ name: 'hi', run: 2 })
    expect(logs.yaml('hi_3').turns.map(({ input, run, history }: LogContent) => [input, run, history.length])).toEqual([
      ['Hi!', 2, 1],
      ['And Bob', 2, 1],
    ])
  })

  it('can be written concurrently within a process', async () => {
    const logs = logsWith()
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, index) => logs.add(runOf('hi', `answer ${index}`))),
    )
    expect(written.map(({ run }) => run)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(logs.yaml('hi').turns[0].history).toHaveLength(19)
  })
})

describe('another file of that name', () => {
  const cases: [what: string, content: string][] = [
    ['a list', '- input: hi\n'],
    ['a text', 'hi\n'],
    ['a number', '1\n'],
    ['nothing, written out', 'null\n'],
    ['a mapping without turns', 'name: hi\n'],
    ['turns that are not a list', 'turns: {input: hi}\n'],
    ['no turns', 'turns: []\n'],
    ['other turns', 'turns:\n- input: hey\n'],
    ['more turns', 'turns:\n- input: hi\n- input: and\n'],
    ['turns without inputs', 'turns:\n- 1\n- null\n'],
  ]

  it.each(cases)('%s: is not changed', async (_, content) => {
    const logs = logsWith({ 'hi.yaml': content })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi_2', run: 1 })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi_2', run: 2 })
    expect([logs.text('hi.yaml'), logs.warnings]).toEqual([content, []])
    expect(logs.names()).toEqual(['hi.yaml', 'hi_2', 'hi_2.yaml'])
  })

  it('a folder: is not changed', async () => {
    const logs = logsWith({ 'hi.yaml/x': '' })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi_2', run: 1 })
  })

  it.each(['', '\n\n', '# only this\n', '---\n', '\uFEFF'])('%j: counts as empty and is used', async content => {
    const logs = logsWith({ 'hi.yaml': content })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: 1 })
    expect([logs.names(), logs.warnings]).toEqual([['hi', 'hi.yaml'], []])
  })
})

describe('the number of the next run', () => {
  const log = (fields: string, turn = '') => `${fields}turns:\n- input: hi\n${turn}`
  const cases: [what: string, files: Record<string, string>, next: number][] = [
    ['a log that was deleted, run files that stay', { 'hi/run_1.yaml': 'a', 'hi/run_3.yaml': 'b' }, 4],
    ['run files with gaps', { 'hi.yaml': log('runs: 2\n'), 'hi/run_2.yaml': '', 'hi/run_10.yaml': '' }, 11],
    ['more runs than files', { 'hi.yaml': log('runs: 41\n'), 'hi/run_2.yaml': '' }, 42],
    ['a turn that is ahead', { 'hi.yaml': log('runs: 2\n', '  run: 5\n') }, 6],
    ['a history that is ahead', { 'hi.yaml': log('', '  run: 2\n  history: [{run: 8}, {run: x}]\n') }, 9],
    ['a history in JSON', { 'hi.yaml': log('', `  run: 2\n  history: '[{"run": 12}]'\n`) }, 13],
    ['no numbers at all', { 'hi.yaml': log('runs: many\n', '  run: [1]\n') }, 1],
    ['numbers that no run has', { 'hi.yaml': log('runs: 2.5\n', '  run: -3\n') }, 1],
    ['numbers that are too large to increment', { 'hi.yaml': log('runs: 1e300\n', '  run: 9007199254740993\n') }, 1],
    ['other files among the runs', { 'hi/run_x.yaml': '', 'hi/run_9.txt': '', 'hi/run_9.yaml.tmp': '' }, 1],
    ['a file in place of the folder of runs', { 'hi.yaml': log('runs: 3\n') }, 4],
  ]

  it.each(cases)('%s', async (_, files, next) => {
    const logs = logsWith(files)
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: next })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: next + 1 })
    expect(logs.yaml('hi')).toMatchObject({ runs: next + 1, turns: [{ run: next + 1 }] })
    for (const [file, content] of Object.entries(files)) if (file !== 'hi.yaml') expect(logs.text(file)).toBe(content)
  })

  it('is found in a log of very many runs', async () => {
    const history = JSON.stringify(Array.from({ length: 150_000 }, (_, index) => ({ run: index + 1 })))
    const logs = logsWith({ 'hi.yaml': `turns:\n- input: hi\n  history: '${history}'\n` })
    expect((await logs.folder.read('hi'))?.runs).toBe(150_000)
  })
})

describe('a full disk', () => {
  /** A host on which writing one file fails. */
  function fullDisk(isFull: (path: string) => boolean): Host {
    const host = nodeHost()
    return {
      ...host,
      files: {
        ...host.files,
        write: async (path, text) => {
          if (isFull(path))
            throw Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), { code: 'ENOSPC' })
          return host.files.write(path, text)
        },
      },
    }
  }

  const FILE = 'turns:\n- input: hi\n  run: 1\n  expected: mine\n'

  it.each([
    ['the file of the run', 'run_2.yaml'],
    ['the log', 'hi.yaml'],
  ])('is reported for %s, and the log stays unchanged', async (_, file) => {
    let isFull = true
    const logs = logsWith(
      { 'hi.yaml': FILE, 'hi/run_1.yaml': 'a' },
      fullDisk(path => isFull && path.endsWith(file)),
    )
    const adding = logs.add(runOf('hi'))
    await expect(adding).rejects.toThrow(LogError)
    await expect(adding).rejects.toThrow(new RegExp(`^Cannot write ${logs.path}.*${file}: ENOSPC: no space left`))
    expect([logs.text('hi.yaml'), logs.text('hi/run_1.yaml')]).toEqual([FILE, 'a'])
    expect(logs.names()).toEqual(['hi', 'hi.yaml'])
    // With free space again, no run number is used twice.
    isFull = false
    const { run } = await logs.add(runOf('hi'))
    expect(run).toBe(logs.names('hi').length)
  })

  it('is reported for the lock, and leaves no files', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const logs = logsWith(
      { 'hi.yaml': FILE },
      { ...nodeHost(), locks: { ...nodeHost().locks, take: () => Promise.reject(full) } },
    )
    await expect(logs.add(runOf('hi'))).rejects.toThrow(`Cannot write into ${logs.path}: ENOSPC`)
    expect(logs.names()).toEqual(['hi.yaml'])
  })

  it('reports a folder that cannot be created', async () => {
    const { folder } = logsWith({ 'x/y': '' })
    const { LogFolder } = await import('../../src/log/log-folder.ts')
    const below = new LogFolder(join(folder.path, 'x/y/evals'), nodeHost(), () => {})
    await expect(below.add(runOf('hi'))).rejects.toThrow(LogError)
    await expect(below.add(runOf('hi'))).rejects.toThrow(/^Cannot write into .*evals: E/)
  })
})
