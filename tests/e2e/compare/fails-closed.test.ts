import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { recordsOf, suiteFolder } from '../../support/runs.ts'
import { agentFolder, compare, gates, REGRESSION, runEval, words } from './agent-runs.ts'

/** Removes results from a run, as if it had been stopped before them. */
function dropTests(cwd: string, run: string, ids: readonly string[]): void {
  const file = join(cwd, '.assay/runs', run, 'results.jsonl')
  const left = recordsOf(cwd, run).filter(({ test_id }) => !ids.includes(test_id))
  writeFileSync(file, left.map(record => `${JSON.stringify(record)}\n`).join(''))
}

describe('a comparison fails closed', () => {
  const good = agentFolder({ name: 'closed', tests: words(8) }, 'echo yes')

  it('if both sides are the same run, by any name', async () => {
    const id = await runEval(good)
    const file = join('.assay/runs', id, 'results.jsonl')
    for (const runs of [
      [id, 'latest'],
      [file, id],
      [file, file],
      [id, '--target', 'agent', '--target', 'agent'],
    ]) {
      const { stdout } = await compare(good, ...runs)
      expect(stdout).toMatch(/inconclusive: both sides are the same run \S+ \(target agent\)\n/)
      expect(await gates(good, runs)).toEqual([0, 2, 2])
    }
    cpSync(join(good, file), join(good, 'copy.jsonl'))
    expect(await gates(good, [id, 'copy.jsonl'])).toEqual([0, 2, 2])
    expect((await compare(good, id, id, '--require-conclusive', '--margin', '0.9')).code).toBe(2)
  })

  it.each([
    ['a line that is cut off', (text: string) => text.slice(0, -20)],
    ['a line that is no JSON', (text: string) => `${text}oops\n`],
    ['a line that is no result', (text: string) => `{"verdict":"pass"}\n${text}`],
  ])('if the results have %s', async (_, damage) => {
    const id = await runEval(good)
    const file = join(good, '.assay/runs', id, 'results.jsonl')
    const whole = await runEval(good)
    writeFileSync(file, damage(readFileSync(file, 'utf8')))
    for (const runs of [
      [id, whole],
      [whole, id],
    ]) {
      expect(await gates(good, runs)).toEqual([2, 2, 2])
      const { stdout, stderr } = await compare(good, ...runs)
      expect(stdout).toBe('')
      expect(stderr).toContain(`Cannot compare .assay/runs/${id}/results.jsonl: 1 result is damaged or missing.\n`)
    }
  })

  it('if results are those of another run, which a resumed run makes again', async () => {
    const [id, other] = [await runEval(good), await runEval(good)]
    const file = (run: string) => join(good, '.assay/runs', run, 'results.jsonl')
    const lines = (run: string) => readFileSync(file(run), 'utf8').split('\n').slice(0, -1)
    writeFileSync(file(id), [...lines(id).slice(0, 6), ...lines(other).slice(6), ''].join('\n'))
    expect(await gates(good, [other, id])).toEqual([2, 2, 2])
    expect((await compare(good, other, id)).stderr).toContain('2 results are damaged or missing.\n')
    expect((await assay(['eval', `--resume=${id}`], { cwd: good })).stderr).toContain(
      'Resuming: 6 of 8 attempts recorded.',
    )
  })

  it('if the results are as many as planned, but not of all tests', async () => {
    const id = await runEval(good)
    const whole = await runEval(good)
    const [first, second, ...rest] = recordsOf(good, id)
    const records = [{ ...second, attempt_id: first?.attempt_id }, second, ...rest]
    const file = join(good, '.assay/runs', id, 'results.jsonl')
    writeFileSync(file, records.map(record => `${JSON.stringify(record)}\n`).join(''))
    const [, , onRegression] = await gates(good, [whole, id])
    expect(onRegression).toBe(3)
    const { code, stderr } = await assay(['eval', `--resume=${id}`], { cwd: good })
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('8 tests: 7 passed, 1 not run\n') })
  })

  it('if a report is truncated', async () => {
    const id = await runEval(good)
    await assay(['report', id, '-o', 'whole.jsonl'], { cwd: good })
    const text = readFileSync(join(good, 'whole.jsonl'), 'utf8')
    writeFileSync(join(good, 'cut.jsonl'), text.split('\n').slice(0, 6).join('\n').concat('\n'))
    const before = await runEval(good)
    expect(await gates(good, [before, 'whole.jsonl'])).toEqual([0, 0, 0])
    expect(await gates(good, [before, 'cut.jsonl'])).toEqual([2, 2, 2])
    const { stderr } = await compare(good, 'cut.jsonl', before)
    expect(stderr).toContain('Cannot compare cut.jsonl: 2 results are damaged or missing.\n')
  })

  it('if a file is not a run or has no results', async () => {
    const id = await runEval(good)
    writeFileSync(join(good, 'notes.txt'), 'These\nare\nnotes.\n')
    writeFileSync(join(good, 'empty.jsonl'), '\n')
    for (const [file, why] of [
      ['notes.txt', 'notes.txt is not a run: it has no results that can be read.'],
      ['EVAL.yaml', 'EVAL.yaml is not a run: it has no results that can be read.'],
      ['empty.jsonl', 'Cannot compare empty.jsonl: it has no results.'],
    ] as const) {
      expect(await gates(good, [file, id])).toEqual([2, 2, 2])
      const { stderr } = await compare(good, id, file)
      expect(stderr).toContain(`${why}\n`)
    }
  })

  it('if a run is partial, unless it fails anyway', async () => {
    const cwd = agentFolder({ name: 'closed', tests: words(8) }, 'echo yes')
    const whole = await runEval(cwd)
    const partial = await runEval(cwd)
    dropTests(cwd, partial, ['t15', 't16', 't17'])
    const { code, stdout } = await compare(cwd, whole, partial)
    expect([code, stdout.split('\n')[0]]).toEqual([0, `${partial}: partial run: not finished, 5 of 8 attempts made`])
    expect(await gates(cwd, [whole, partial])).toEqual([0, 3, 3])
    expect(await gates(cwd, [partial, whole])).toEqual([0, 3, 3])
    writeFileSync(join(cwd, 'agent.sh'), '[ "$1" = t10 ] && echo no || echo yes')
    const failing = await runEval(cwd)
    dropTests(cwd, failing, ['t15', 't16', 't17'])
    expect(await gates(cwd, [whole, failing])).toEqual([0, 3, 1])
    await assay(['report', partial, '-o', 'partial.jsonl'], { cwd })
    expect(await gates(cwd, [whole, 'partial.jsonl'])).toEqual([0, 3, 3])
  })

  it('if the second run has only part of the tests, by filter or shard', async () => {
    const cwd = agentFolder({ name: 'closed', tests: words(8) }, 'echo yes')
    const whole = await runEval(cwd)
    const some = await runEval(cwd, '--test-id', 't10', '--test-id', 't11')
    expect(await gates(cwd, [whole, some])).toEqual([0, 3, 3])
    expect((await compare(cwd, whole, some, REGRESSION)).stdout).toContain(
      `\nquality gate cannot pass (incomplete): ${some} is partial: 2 of 8 tests selected (--test-id t10, --test-id t11); it lacks 6 tests of the first run\n`,
    )
    expect(await gates(cwd, [whole, await runEval(cwd, '--shard', '1/2')])).toEqual([0, 3, 3])
    await assay(['report', some, '-o', 'some.jsonl'], { cwd })
    expect(await gates(cwd, [whole, 'some.jsonl'])).toEqual([0, 3, 3])
  })

  it('but not if every test of the first run is present', async () => {
    const cwd = agentFolder({ name: 'closed', tests: words(8) }, 'echo yes')
    const whole = await runEval(cwd)
    const some = await runEval(cwd, '--test-id', 't10', '--test-id', 't11')
    const again = await runEval(cwd, '--test-id', 't1[01]', '--test-id', 't10', '--test-id', 't11')
    expect(await gates(cwd, [some, again])).toEqual([0, 0, 0])
    expect(await gates(cwd, [some, whole])).toEqual([0, 0, 0])
  })

  it('if the second run lacks a target of the first, but not the other way around', async () => {
    const says = (name: string) => ({ name, provider: 'mock', response: 'yes' })
    const targets = JSON.stringify({ targets: ['one', 'two', 'three'].map(says) })
    const cwd = suiteFolder({ name: 'several', tests: words(6) }, targets)
    const all = await runEval(cwd, '--target', 'one', '--target', 'two', '--target', 'three')
    const fewer = await runEval(cwd, '--target', 'one', '--target', 'two')
    const { stderr, stdout } = await compare(cwd, all, fewer, REGRESSION)
    expect(stderr).toBe(`not in ${fewer}: three\n`)
    expect(stdout).toContain(`\nquality gate cannot pass (incomplete): ${fewer} does not have the target three\n`)
    expect(await gates(cwd, [all, fewer])).toEqual([0, 3, 3])
    expect(await gates(cwd, [fewer, all])).toEqual([0, 0, 0])
    expect(await gates(cwd, [all, fewer, '--target', 'one'])).toEqual([0, 0, 0])
  })
})
