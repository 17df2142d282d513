import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const SUITE = 'name: x\ntests:\n  - {id: a, criteria: Is good, input: Hi}\n'

/** A path in Latin-1, which is not UTF-8 beyond ASCII. */
const latin = (folder: string, path: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])

describe('names that are not UTF-8', () => {
  let cwd: string
  beforeAll(() => {
    cwd = folderWith({
      'ok/EVAL.yaml': SUITE,
      'files/a.txt': '',
      'lines/a.txt': '',
      'imports/tests/a.yaml': '- {id: a, criteria: c, input: Hi}\n',
    })
    mkdirSync(latin(cwd, 'folder/café'), { recursive: true })
    mkdirSync(latin(cwd, 'imports/tests/café'), { recursive: true })
    writeFileSync(latin(cwd, 'folder/café/EVAL.yaml'), SUITE)
    writeFileSync(latin(cwd, 'files/café.eval.yaml'), SUITE)
    writeFileSync(latin(cwd, 'files/café.txt'), 'no suite')
    writeFileSync(latin(cwd, 'lines/café.jsonl'), '{"id": "a", "criteria": "c", "input": "Hi"}\n')
    writeFileSync(latin(cwd, 'lines/café.yaml'), 'name: lines\n')
    writeFileSync(latin(cwd, 'imports/tests/café/b.yaml'), '- {id: b, criteria: c, input: Hi}\n')
    folderWith({ 'imports/EVAL.yaml': 'name: imports\ntests: ["tests/**/*.yaml"]\n' }, cwd)
  })

  it.each([['folder'], ['folder/*'], ['folder/**/*.yaml'], ['*']])('are reported for a folder in %s', async path => {
    const { code, stderr } = await assay(['list', path], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot read folder/caf\uFFFD: its name is not UTF-8. Rename it.\n')
  })

  it('are ignored in a folder that the pattern does not match', async () => {
    expect(await assay(['list', 'o*/*.yaml'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  })

  it('are reported for a folder below eval_patterns', async () => {
    folderWith({ '.assay/config.yaml': 'eval_patterns: ["folder/**/*.yaml", "ok/*.yaml"]\n' }, cwd)
    const { code, stderr } = await assay(['list'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot read folder/caf\uFFFD')
  })

  it.each([
    ['a suite', 'files', 'eval.yaml'],
    ['a suite that a glob matches', 'files/*.yaml', 'eval.yaml'],
    ['a dataset', 'lines', 'jsonl'],
  ])('are an error for %s', async (_, path, ending) => {
    const { code, stdout } = await assay(['validate', path], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain(`caf\uFFFD.${ending}:1:1 error file-missing`)
    expect(stdout).toContain('hint: its name, or the name of a folder above it, is not UTF-8: rename it')
  })

  it('are an error at the import of tests from such a folder', async () => {
    const { code, stdout } = await assay(['validate', 'imports/EVAL.yaml'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('imports/EVAL.yaml:2:9 error file-unreadable')
    expect(stdout).toContain('includes the folder `tests/caf\uFFFD`, which cannot be read')
  })

  it('do not include names with a literal replacement character', async () => {
    const folder = folderWith({ 'a\uFFFD/EVAL.yaml': SUITE, 'b\uFFFD.eval.yaml': SUITE })
    expect(await assay(['list'], { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  })
})
