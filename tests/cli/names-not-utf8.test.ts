import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const SUITE = 'name: x\ntests:\n  - {id: a, criteria: Is good, input: Hi}\n'

/** A path in Latin-1, whose letters beyond ASCII are not UTF-8. */
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

  it.each([['folder'], ['folder/*'], ['folder/**/*.yaml'], ['*']])('of a folder in %s are reported', async path => {
    const { code, stderr } = await assay(['list', path], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot read folder/caf\uFFFD: its name is not UTF-8. Rename it.\n')
  })

  it('of a folder that a pattern does not lead into are not', async () => {
    expect(await assay(['list', 'o*/*.yaml'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  })

  it('of a folder below eval_patterns are reported', async () => {
    folderWith({ '.assay/config.yaml': 'eval_patterns: ["folder/**/*.yaml", "ok/*.yaml"]\n' }, cwd)
    const { code, stderr } = await assay(['list'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot read folder/caf\uFFFD')
  })

  it.each([
    ['a suite', 'files', 'eval.yaml'],
    ['a suite that a glob matches', 'files/*.yaml', 'eval.yaml'],
    ['a dataset', 'lines', 'jsonl'],
  ])('of %s are an error', async (_, path, ending) => {
    const { code, stdout } = await assay(['validate', path], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain(`caf\uFFFD.${ending}:1:1 error file-missing`)
    expect(stdout).toContain('hint: its name, or the name of a folder above it, is not UTF-8: rename it')
  })

  it('of a folder with imported tests are an error at the import', async () => {
    const { code, stdout } = await assay(['validate', 'imports/EVAL.yaml'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('imports/EVAL.yaml:2:9 error file-unreadable')
    expect(stdout).toContain('includes the folder `tests/caf\uFFFD`, which cannot be read')
  })

  it('that have the replacement character itself are read', async () => {
    const folder = folderWith({ 'a\uFFFD/EVAL.yaml': SUITE, 'b\uFFFD.eval.yaml': SUITE })
    expect(await assay(['list'], { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  })
})
