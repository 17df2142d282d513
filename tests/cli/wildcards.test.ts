import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const STARS = `${'*a'.repeat(40)}*b`
const LONG = 'a'.repeat(200)
const suite = (id: string) => JSON.stringify({ name: 'long', tests: [{ id, criteria: 'Is good', input: 'Hi' }] })

describe('patterns with many stars are matched quickly', () => {
  it('in --test-id', async () => {
    const cwd = folderWith({
      'EVAL.yaml': suite(LONG.repeat(10)),
      '.assay/targets.yaml': JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'yes' }] }),
    })
    expect((await assay(['eval', '--test-id', STARS], { cwd })).code).toBe(5)
  })

  it('in arguments', async () => {
    const cwd = folderWith({ [`${LONG}.eval.yaml`]: suite('a') })
    const { code, stderr } = await assay(['list', STARS], { cwd })
    expect(code).toBe(5)
    expect(stderr).toContain('No suite found')
    const found = await assay(['list', `${'*a'.repeat(40)}*.yaml`], { cwd })
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('long') })
  })

  it('in eval_patterns, including exclusions', async () => {
    const files = { [`evals/${LONG}.yaml`]: suite('a'), 'evals/b.yaml': suite('b') }
    const patterns = ['evals/*.yaml', `!evals/${'*a'.repeat(40)}*.yaml`]
    const cwd = folderWith({ ...files, '.assay/config.yaml': JSON.stringify({ eval_patterns: patterns }) })
    const { stdout } = await assay(['list', '--json'], { cwd })
    expect(JSON.parse(stdout).map(({ file }: { file: string }) => file)).toEqual(['evals/b.yaml'])
  })

  it('in imports', async () => {
    const cwd = folderWith({
      'EVAL.yaml': JSON.stringify({ name: 'imports', tests: [STARS, `tests/${'*a'.repeat(40)}*.yaml`] }),
      [`tests/${LONG}.yaml`]: '- {id: one, criteria: Is good, input: Hi}\n',
      [`${LONG}.yaml`]: 'x',
    })
    const { code, stdout } = await assay(['validate', 'EVAL.yaml'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('no files match `*a*a')
    expect(stdout).toContain('1 error, 0 warnings in 1 file (2 files checked)')
  })

  it('or rejected if only a regular expression could match them', async () => {
    const pattern = `{${STARS},x}`
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify({ name: 'imports', tests: pattern }), [LONG]: 'x' })
    const { stdout } = await assay(['validate', 'EVAL.yaml'], { cwd })
    expect(stdout).toContain('hint: the pattern is too complex: use fewer `*` and no repeated groups')
    const listed = await assay(['list', pattern], { cwd })
    expect(listed).toMatchObject({ code: 5, stderr: expect.stringContaining('is too complex to match') })
  })
})

describe('a pattern with many stars finds the same files as a short one', () => {
  const names = ['abc.yaml', 'a/b/c.yaml', 'a/.b/c.yaml', '.abc.yaml', 'node_modules/abc.yaml', 'a/abc/x.yaml']
  const cwd = folderWith(Object.fromEntries(names.map(name => [name, 'x'])))

  it.each([
    ['*a*b*c*', '*abc*', false],
    ['*a*b*c*', '*abc*', true],
    ['**/a/**/b/**/c.yaml', 'a/b/c.yaml', true],
    ['**/**/**/**/*.yaml', '**/*.yaml', false],
    ['a/*a*b*c', 'a/abc', false],
    ['*a*b*c*.yaml', 'abc.yaml', false],
    [`${cwd}/*a*b*c*`, `${cwd}/abc*`, true],
    ['./*a*b*c*', 'abc*', true],
  ])('%s as %s (exact: %s)', async (long, short, exact) => {
    const { glob } = nodeHost(cwd).files
    const found = await glob([long], { cwd, exact })
    expect(found.length).toBeGreaterThan(0)
    expect(found).toEqual(await glob([short], { cwd, exact }))
  })

  it('from a folder below', async () => {
    const { glob } = nodeHost(cwd).files
    expect(await glob(['../*a*b*c*'], { cwd: join(cwd, 'a'), exact: true })).toEqual([join(cwd, 'abc.yaml')])
  })
})
