import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evalFolder, suiteWith } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { runFolder } from '../../support/suite-run.ts'

const says = (response: string, more: object = {}) => ({
  name: 'default',
  provider: 'mock',
  responses: [{ pattern: '.', response, ...more }],
})
const TESTS = Array.from({ length: 12 }, (_, index) => ({
  id: `t${index}`,
  input: `q${index}`,
  metadata: { tags: [index < 3 ? 'smoke' : 'slow'] },
}))
const evalIn = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })

/** Each way to run only some attempts, and its description in the output. */
const WAYS: readonly [what: string, args: readonly string[], part: string][] = [
  ['a tag', ['--tag', 'smoke'], '3 of 12 tests selected (--tag smoke)'],
  ['an id', ['--test-id', 't1*'], '3 of 12 tests selected (--test-id t1*)'],
  ['a shard', ['--shard', '2/4'], 'shard 2 of 4'],
  ['the budget', ['--max-cost', '2.5', '--workers', '1'], 'budget spent, 3 of 12 attempts made'],
  ['fail-fast', ['--fail-fast', '--workers', '1', '--target', 'bad'], 'stopped by --fail-fast, 1 of 12 attempts made'],
]

describe.each(WAYS)('a run that is partial because of %s', (_, args, part) => {
  const NOTE = `partial run: ${part}`

  it('is marked as partial in the output and in every report', async () => {
    const cwd = evalFolder(TESTS, [says('ok', { cost_usd: 1 }), { ...says('no'), name: 'bad' }])
    const { stderr } = await evalIn(cwd, ...args)
    expect(stderr).toContain(`${NOTE}\n`)
    const report = async (format: string) => (await assay(['report', 'latest', '--format', format], { cwd })).stdout
    expect(await report('text')).toContain(`${NOTE}\n`)
    expect(await report('junit')).toContain(NOTE)
    expect(await report('github')).toContain(`::notice::${NOTE}`)
    expect(await report('html')).toContain(NOTE)
    expect((await report('markdown')).replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).toContain(
      `**${NOTE}**`,
    )
    expect(JSON.parse(await report('json')).summary.partial).toBe(part)
    for (const line of (await report('jsonl')).trim().split('\n')) expect(JSON.parse(line).partial).toBe(part)
    for (const row of (await report('csv')).trim().split('\r\n').slice(1)) expect(row).toContain(part)
    const written = await assay(['report', 'latest', '--format', 'skill-creator', '-o', 'out'], { cwd })
    expect(written.stderr).toContain(NOTE)
  })
})

describe('a complete run', () => {
  it('is not marked as partial', async () => {
    const cwd = evalFolder(TESTS, [says('ok')])
    expect((await evalIn(cwd)).stderr).not.toContain('partial')
    const { stdout } = await assay(['report', 'latest', '--format', 'jsonl'], { cwd })
    expect(stdout).not.toContain('partial')
  })

  it('can be merged from all shards', async () => {
    const cwd = evalFolder(TESTS, [says('ok')])
    const ids: string[] = []
    for (const index of [1, 2, 3]) {
      await evalIn(cwd, '--shard', `${index}/3`)
      ids.push(JSON.parse(readFileSync(join(runFolder(cwd), 'run.json'), 'utf8')).run_id)
    }
    const some = await assay(['merge', ...ids.slice(1)], { cwd })
    expect(some.stderr).toContain('partial run: not all shards, 8 of 12 attempts made')
    expect(some.code).toBe(3)
    const all = await assay(['merge', ...ids], { cwd })
    expect(all.stderr).not.toContain('partial')
    expect(all.code).toBe(0)
  })

  it('can be the result of --resume after the budget was spent', async () => {
    const cwd = evalFolder(TESTS, [says('ok', { cost_usd: 1 })])
    expect((await evalIn(cwd, '--max-cost', '2.5', '--workers', '1')).code).toBe(3)
    const { code, stderr } = await evalIn(cwd, '--resume')
    expect(stderr).not.toContain('partial')
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(join(runFolder(cwd), 'run.json'), 'utf8'))).not.toHaveProperty('stopped')
  })
})

describe('several targets', () => {
  it('have separate headings and pass rates', async () => {
    const cwd = evalFolder(
      TESTS.slice(0, 2),
      ['one', 'two', 'three'].map(name => ({ ...says('ok'), name })),
    )
    const args = ['one', 'two', 'three'].flatMap(name => ['--target', name])
    expect((await evalIn(cwd, ...args)).stderr).toContain('2 tests × 3 targets: 6 passed\n')
    const { stdout } = await assay(['report', 'latest', '--format', 'markdown'], { cwd })
    expect(stdout).toContain('### 2 tests × 3 targets\n\n- one: 2 of 2 tests passed: 100 % [34–100]\n')
    expect(stdout).not.toContain('6 of 6')
    const { summary } = JSON.parse((await assay(['report', 'latest', '--format', 'json'], { cwd })).stdout)
    expect(summary).not.toHaveProperty('pass_rate')
    expect(summary).not.toHaveProperty('score')
    expect(
      summary.targets.map(({ target, pass_rate }: { target: string; pass_rate: object }) => [target, pass_rate]),
    ).toEqual(['one', 'two', 'three'].map(name => [name, expect.objectContaining({ rate: 1, tests: 2 })]))
  })

  it('with different tests are counted as distinct tests and as cases', async () => {
    const cwd = evalFolder([], [says('ok'), { ...says('ok'), name: 'other' }])
    const tests = [
      { id: 'a', input: 'a' },
      { id: 'b', input: 'b', execution: { targets: ['default', 'other'] } },
    ]
    writeFileSync(join(cwd, 'EVAL.yaml'), suiteWith(tests))
    expect((await evalIn(cwd)).stderr).toContain('2 tests on 2 targets (3 cases): 3 passed\n')
  })
})
