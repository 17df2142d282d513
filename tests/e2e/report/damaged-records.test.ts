import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { latestId, mockTargets, suiteFolder, wordTest } from '../../support/runs.ts'

const tests = ['a', 'b', 'c'].map(id => wordTest(id, id, 'yes'))
const cwd = suiteFolder({ name: 'words', tests }, mockTargets(['', 'yes']))
const report = (...args: string[]) => assay(['report', ...args], { cwd })
let lines: string[]

beforeAll(async () => {
  await assay(['eval', '--quiet', '-o', 'whole.jsonl'], { cwd })
  lines = readFileSync(join(cwd, 'whole.jsonl'), 'utf8').trimEnd().split('\n')
})

describe('a file with damaged lines', () => {
  const notes = '1 damaged line left out'

  it.each<[what: string, last: string]>([
    ['damaged', '{"schema_version":1}\n'],
    ['cut', '{"schema_ver'],
  ])('is incomplete if a line is %s, and every report shows it', async (what, last) => {
    const file = `${what}.jsonl`
    writeFileSync(join(cwd, file), `${lines.slice(1).join('\n')}\n${last}`)
    for (const format of ['markdown', 'text', 'junit', 'github', 'csv', 'jsonl']) {
      const { code, stdout } = await report(file, '--format', format)
      expect([code, stdout.includes(notes)]).toEqual([3, true])
    }
  })

  it('stays damaged in reports that are read back', async () => {
    for (const again of ['again.json', 'again.jsonl']) {
      expect((await report('damaged.jsonl', '-o', again)).code).toBe(3)
      expect((await report(again, '--format', 'text')).stdout).toContain(notes)
    }
  })

  it('is not damaged if every line can be read', async () => {
    const { code, stdout } = await report('whole.jsonl', '--format', 'text')
    expect([code, stdout.includes('damaged')]).toEqual([0, false])
  })
})

describe('a run folder', () => {
  it('with a damaged line is incomplete', async () => {
    const results = join(cwd, '.assay/runs', latestId(cwd), 'results.jsonl')
    const before = readFileSync(results, 'utf8')
    appendFileSync(results, 'no record\n')
    const { code, stdout } = await report('latest', '--format', 'text')
    expect([code, stdout.includes('1 damaged line left out')]).toEqual([3, true])
    writeFileSync(results, before)
  })

  it('without results is a run that stopped before its first result', async () => {
    await assay(['eval', '--quiet'], { cwd })
    const results = join(cwd, '.assay/runs', latestId(cwd), 'results.jsonl')
    writeFileSync(results, '')
    const { code, stdout } = await report('latest', '--format', 'text')
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 of 3 attempts made')])
    rmSync(join(cwd, '.assay/runs', latestId(cwd)), { recursive: true })
  })
})

it.each(['EVAL.yaml', 'empty.jsonl'])('%s without a readable result is not a run', async file => {
  writeFileSync(join(cwd, 'empty.jsonl'), '')
  const { code, stdout, stderr } = await report(file, '--format', 'markdown')
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `${join(cwd, file)} is not the record of a run: it has no result that can be read.\n`,
  })
})

it('resolves `latest` to the latest run, even beside a file of that name', async () => {
  await assay(['eval', '--quiet'], { cwd })
  const { code, stdout } = await assay(['report', 'latest', '--format', 'text'], { cwd: join(cwd, '.assay/runs') })
  expect([code, stdout]).toEqual([0, expect.stringContaining('3 tests: 3 passed')])
})
