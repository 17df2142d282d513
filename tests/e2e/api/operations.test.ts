import { readdirSync } from 'node:fs'
import { dump } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import {
  compare,
  connectWorker,
  evaluate,
  grade,
  openConversation,
  pingTargets,
  type Result,
  transpile,
} from '../../../src/index.ts'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { folderWith } from '../../support/program.ts'

const TARGETS = [
  { name: 'default', provider: 'mock', response: 'Hello, Alice!' },
  { name: 'rude', provider: 'mock', response: 'Go away.' },
]

function suiteText(value: string): string {
  const test = (id: string) => ({
    id,
    criteria: 'Greets',
    input: `Hi from ${id}`,
    assert: [{ type: 'contains', value }],
  })
  return dump({ name: 'api', tests: ['a', 'b', 'c', 'd', 'e', 'f'].map(test) })
}

function project(value = 'Hello'): string {
  return folderWith({ 'EVAL.yaml': suiteText(value), '.assay/targets.yaml': dump({ targets: TARGETS }) })
}

describe('grade()', () => {
  it('grades recorded answers by the current suite, without asking the target', async () => {
    const cwd = project()
    expect((await evaluate({ cwd })).run?.outcome.counts).toMatchObject({ pass: 6, fail: 0 })
    folderWith(
      {
        'EVAL.yaml': suiteText('Goodbye'),
        '.assay/targets.yaml': dump({ targets: [{ ...TARGETS[0], response: 'Goodbye' }] }),
      },
      cwd,
    )
    const { run } = await grade('latest', { cwd })
    expect(run?.outcome.counts).toMatchObject({ pass: 0, fail: 6 })
    expect(new Set([...(run?.results() ?? [])].map(({ answer }) => answer))).toEqual(new Set(['Hello, Alice!']))
  })

  it('rejects a run that does not exist', async () => {
    await expect(grade('2099', { cwd: project() })).rejects.toThrow('Run 2099 not found')
  })
})

describe('compare()', () => {
  it('finds a worse target, and its gate fails', async () => {
    const cwd = project()
    await evaluate({ cwd, targets: ['default', 'rude'] })
    const gates = { fail_on_regression: true, fail_on_new_failures: false, require_conclusive: false }
    const { comparisons, gate } = await compare(['latest'], { cwd, targets: ['default', 'rude'], gates })
    expect(comparisons.map(({ verdict }) => verdict)).toEqual(['worse'])
    expect(gate.result).toBe('failed')
  })

  it('rejects a run that does not exist', async () => {
    await expect(compare(['2099', 'latest'], { cwd: project() })).rejects.toThrow('Run 2099 not found')
  })
})

describe('transpile()', () => {
  it('returns the files of a suite and writes none', async () => {
    const cwd = project()
    const before = readdirSync(cwd)
    const transpiled = await transpile('EVAL.yaml', { cwd })
    expect(transpiled.kind === 'made' && transpiled.made.files.map(({ file }) => file)).toEqual(['_no-skill.json'])
    expect(readdirSync(cwd)).toEqual(before)
  })
})

describe('openConversation()', () => {
  it('asks a target turn by turn', async () => {
    const { target, diagnostics } = await openConversation({ cwd: project(), target: 'rude' })
    expect(diagnostics).toEqual([])
    const results: Result[] = []
    const turns = [{ input: 'Hi' }, { input: 'Please' }]
    for await (const result of target?.converse({ id: 'talk', system_prompt: '', turns }) ?? []) results.push(result)
    expect(results.map(({ answer }) => answer)).toEqual(['Go away.', 'Go away.'])
  })

  it('returns diagnostics and no target if the target is unknown', async () => {
    const { target, diagnostics } = await openConversation({ cwd: project(), target: 'unknown' })
    expect([target, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['unknown-target']])
  })
})

describe('pingTargets()', () => {
  it('returns which targets answer', async () => {
    const targets = [TARGETS[0], { name: 'broken', provider: 'cli', command: ['node', '-e', 'process.exit(3)'] }]
    const cwd = folderWith({ '.assay/targets.yaml': dump({ targets }) })
    const pinged = await pingTargets({ cwd })
    expect(pinged.targets.map(({ name, ping }) => [name, ping?.error?.code])).toEqual([
      ['default', undefined],
      ['broken', 'program-failed'],
    ])
  })
})

describeWithRedis('connectWorker()', () => {
  it('ends when no run is in the queue', async () => {
    const redis = await TestRedis.start()
    const silent = { onMessage: () => {}, onResult: () => {}, onSecrets: () => {} }
    const options = { cwd: project(), queue: redis.url, name: 'api', once_seconds: 1, lease_seconds: 30 }
    const worker = await connectWorker(options, silent)
    try {
      const signals = { finish: new AbortController().signal, giveBack: new AbortController().signal }
      expect([worker.name, await worker.work(signals)]).toEqual(['api', 'done'])
    } finally {
      worker.close()
      await redis.end()
    }
  })
})
