import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const TEST = 'criteria: It is read\n    input: Read it'

function repository(): string {
  return folderWith({
    'package.json': '{}',
    'suites/csv/EVAL.yaml': `name: csv
metadata: { skill: csv }
tests:
  - id: beside
    ${TEST}
    input_files: [files/ä b.csv, /root.csv]
  - id: messages
    criteria: It is read
    input:
      - role: user
        content: [{ type: text, value: Read it }, { type: file, value: ../shared.csv }]
`,
    'suites/csv/files/ä b.csv': 'a',
    'suites/shared.csv': 'b',
    'root.csv': 'c',
    'imports/EVAL.yaml': 'name: imports\ntests: ./cases/tests.yaml\n',
    'imports/cases/tests.yaml': `- id: imported\n  criteria: It is read\n  input: Read it\n  input_files: [own.csv]\n`,
    'imports/cases/own.csv': 'd',
  })
}

async function filesIn(cwd: string, suite: string, ...args: string[]): Promise<unknown> {
  const { code, stdout } = await assay(['transpile', suite, ...args], { cwd })
  expect(code).toBe(0)
  const content = args.includes('--stdout')
    ? JSON.parse(stdout)[0].content
    : readFileSync(join(cwd, stdout.replace(/^wrote /, '').trim()), 'utf8')
  return JSON.parse(content).evals.map(({ files }: { files: string[] }) => files)
}

describe('transpile adjusts the paths of files', () => {
  it.each<[place: string, args: string[], paths: string[][]]>([
    ['to evals beside the suite', [], [['files/ä b.csv', '/root.csv'], ['../shared.csv']]],
    [
      'to evals in a folder below',
      ['--out-dir', 'suites/csv/evals'],
      [['../files/ä b.csv', '/root.csv'], ['../../shared.csv']],
    ],
    [
      'to evals in another folder',
      ['--out-dir', 'evals'],
      [['../suites/csv/files/ä b.csv', '/root.csv'], ['../suites/shared.csv']],
    ],
  ])('%s', async (_, args, paths) => {
    const cwd = repository()
    expect(await filesIn(cwd, 'suites/csv/EVAL.yaml', ...args)).toEqual(paths)
    const folder = args[1] ?? 'suites/csv'
    expect((await assay(['validate', join(folder, 'evals.json')], { cwd })).code).toBe(0)
    expect((await assay(['transpile', 'suites/csv/EVAL.yaml', ...args, '--check'], { cwd })).code).toBe(0)
  })

  it('to evals outside the repository', async () => {
    const elsewhere = folderWith({ 'package.json': '{}' })
    const cwd = repository()
    expect((await assay(['transpile', 'suites/csv/EVAL.yaml', '--out-dir', elsewhere], { cwd })).code).toBe(0)
    expect((await assay(['validate', 'evals.json'], { cwd: elsewhere })).code).toBe(0)
  })

  it('of tests imported from another folder', async () => {
    expect(await filesIn(repository(), 'imports/EVAL.yaml')).toEqual([['cases/own.csv']])
  })

  it('but not on stdout', async () => {
    const paths = [['files/ä b.csv', '/root.csv'], ['../shared.csv']]
    expect(await filesIn(repository(), 'suites/csv/EVAL.yaml', '--stdout')).toEqual(paths)
  })
})
