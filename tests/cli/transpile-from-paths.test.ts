import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const PATHS = ['evals/files/from-skill.csv', 'files/beside.csv', 'shared/../files/beside.csv']

function skill(files: readonly string[] = PATHS): string {
  const evals = { skill_name: 'csv', evals: [{ id: 1, prompt: 'Read it', expected_output: 'It is read', files }] }
  return folderWith({
    'package.json': '{}',
    'skill/evals/evals.json': JSON.stringify(evals),
    'skill/evals/files/from-skill.csv': 'a',
    'skill/evals/files/beside.csv': 'b',
    'root.csv': 'c',
    'skill/evals/ä b/c#d.csv': 'd',
  })
}

async function pathsIn(output: string, cwd: string): Promise<unknown> {
  const { code } = await assay(['transpile', '--from', 'skill/evals/evals.json', '-o', output], { cwd })
  expect(code).toBe(0)
  const { tests } = load(readFileSync(join(cwd, output), 'utf8')) as { tests: { input_files: string[] }[] }
  return tests[0]?.input_files
}

describe('transpile --from adjusts the paths of files', () => {
  it.each([
    ['to a suite beside the evals', 'skill/evals/EVAL.yaml', ['files/from-skill.csv', 'files/beside.csv', PATHS[2]]],
    [
      'to a suite in the folder of the skill',
      'skill/EVAL.yaml',
      [PATHS[0], 'evals/files/beside.csv', 'evals/files/beside.csv'],
    ],
    [
      'to a suite in another folder',
      'suites/csv/EVAL.yaml',
      ['from-skill.csv', 'beside.csv', 'beside.csv'].map(name => `../../skill/evals/files/${name}`),
    ],
  ])('%s', async (_, output, paths) => {
    const cwd = skill()
    expect(await pathsIn(output, cwd)).toEqual(paths)
    const { code, stdout } = await assay(['validate', output], { cwd })
    expect(stdout).not.toContain('file-missing')
    expect(code).toBe(0)
  })

  it('on stdout, as for a suite beside the evals', async () => {
    const { stdout } = await assay(['transpile', '--from', 'skill/evals/evals.json'], { cwd: skill() })
    expect(load(stdout)).toMatchObject({
      tests: [{ input_files: ['files/from-skill.csv', 'files/beside.csv', PATHS[2]] }],
    })
  })

  it('except paths from the repository root', async () => {
    expect(await pathsIn('skill/EVAL.yaml', skill(['/root.csv']))).toEqual(['/root.csv'])
  })

  it('with spaces and non-ASCII letters', async () => {
    expect(await pathsIn('EVAL.yaml', skill(['ä b/c#d.csv']))).toEqual(['skill/evals/ä b/c#d.csv'])
  })

  it('of missing files too, with a warning', async () => {
    const cwd = skill(['files/gone.csv'])
    mkdirSync(join(cwd, 'out'))
    const { code, stderr } = await assay(['transpile', '--from', 'skill/evals/evals.json', '-o', 'out/E.yaml'], {
      cwd,
    })
    expect(code).toBe(0)
    expect(stderr).toContain('warning file-missing')
    expect(readFileSync(join(cwd, 'out/E.yaml'), 'utf8')).toContain('../skill/evals/files/gone.csv')
  })
})
