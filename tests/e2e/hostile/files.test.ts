import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { latestId, suiteFolder, wordTest, YES_AND_NO } from '../../support/runs.ts'

let cwd: string
let run: string

beforeEach(async () => {
  cwd = suiteFolder({ name: 'words', tests: [wordTest('good', 'yes', 'yes')] }, YES_AND_NO)
  await assay(['eval', '--quiet'], { cwd })
  run = join(cwd, '.assay/runs', latestId(cwd))
})

function pipeAt(path: string): void {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
}

describe('a pipe in place of a record', () => {
  it.each([
    ['run.json', ['eval', '--resume']],
    ['answers.jsonl', ['eval', '--resume']],
    ['results.jsonl', ['eval', '--resume']],
    ['lock', ['eval', '--resume']],
    ['run.json', ['report', 'latest', '--format', 'text']],
    ['results.jsonl', ['report', 'latest', '--format', 'text']],
    ['results.jsonl', ['explain', 'latest', '*']],
    ['results.jsonl', ['compare', 'latest', 'latest']],
    ['results.jsonl', ['grade', 'latest']],
    ['answers.jsonl', ['grade', 'latest']],
    ['answers.jsonl', ['merge', 'latest']],
    ['../latest', ['eval', '--resume']],
  ])('%s makes `assay %j` fail instead of hang', async (file, args) => {
    pipeAt(join(run, file))
    const { code, stderr } = await assay(args, { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a regular file')])
  })
})

describe('the output file of a report', () => {
  it.each([
    [['report', 'latest', '-o', 'out.json']],
    [['eval', '-o', 'out.json']],
    [['grade', 'latest', '-o', 'out.json']],
  ])('is not replaced by `assay %j` if it is a pipe', async args => {
    pipeAt(join(cwd, 'out.json'))
    const { code, stderr } = await assay(args, { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining('not a regular file')])
    expect(lstatSync(join(cwd, 'out.json')).isFIFO()).toBe(true)
  })

  it('is not replaced if it is a link to a pipe or device', async () => {
    pipeAt(join(cwd, 'pipe'))
    symlinkSync('pipe', join(cwd, 'out.json'))
    symlinkSync('/dev/null', join(cwd, 'null.md'))
    for (const file of ['out.json', 'null.md']) {
      const { code, stderr } = await assay(['report', 'latest', '-o', file], { cwd })
      expect([code, stderr]).toEqual([2, expect.stringContaining('not a regular file')])
      expect(lstatSync(join(cwd, file)).isSymbolicLink()).toBe(true)
    }
  })

  it('is written through a link to a file', async () => {
    const real = folderWith({ 'latest.md': 'old' })
    symlinkSync(join(real, 'latest.md'), join(cwd, 'out.md'))
    expect((await assay(['report', 'latest', '-o', 'out.md'], { cwd })).code).toBe(0)
    expect(lstatSync(join(cwd, 'out.md')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(real, 'latest.md'), 'utf8')).toContain('words')
  })
})

describe('a pipe in place of an input', () => {
  it.each([
    ['EVAL.yaml', ['eval']],
    ['EVAL.yaml', ['validate']],
    ['.assay/targets.yaml', ['eval']],
    ['.assay/targets.yaml', ['targets']],
    ['.assay/config.yaml', ['eval']],
    ['input.jsonl', ['report', 'input.jsonl', '--format', 'text']],
    ['input.json', ['compare', 'input.json', 'latest']],
  ])('%s makes `assay %j` fail instead of hang', async (file, args) => {
    pipeAt(join(cwd, file))
    const { code, stdout, stderr } = await assay(args, { cwd })
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('is not a')])
  })
})

describe('a link in place of a record', () => {
  it.each(['answers.jsonl', 'results.jsonl', 'lock'])('%s is not written through', async file => {
    const victim = join(folderWith({ 'notes.txt': 'mine' }), 'notes.txt')
    rmSync(join(run, file), { force: true })
    symlinkSync(victim, join(run, file))
    const { code, stderr } = await assay(['eval', '--resume'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Cannot write records to .*is a symbolic link, not a regular file\n/)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
  })

  it('run.json is replaced by a file', async () => {
    const info = readFileSync(join(run, 'run.json'), 'utf8')
    const victim = join(run, 'other.json')
    rmSync(join(run, 'run.json'))
    folderWith({ 'other.json': info }, run)
    symlinkSync(victim, join(run, 'run.json'))
    expect((await assay(['eval', '--resume', '--allow-flaky'], { cwd })).code).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe(info)
  })
})
