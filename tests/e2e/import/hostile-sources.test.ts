import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

function project(config: string, files: Readonly<Record<string, string>> = {}): string {
  return folderWith({ 'inside/package.json': '{}', 'inside/promptfooconfig.yaml': config, ...files })
}

async function imported(root: string, ...args: string[]) {
  const cwd = join(root, 'inside')
  const result = await assay(['import', 'promptfooconfig.yaml', ...args], { cwd })
  return { cwd, ...result, text: result.stdout + result.stderr }
}

describe('sources that refer to themselves', () => {
  it('reports references that lead to each other, and follows others', async () => {
    const { code, text, cwd } = await imported(
      project(`prompts: [Hi]
providers: [echo]
assertionTemplates:
  polite: { type: contains, value: Hi }
  one: { $ref: '#/assertionTemplates/two' }
  two: { $ref: '#/assertionTemplates/one' }
tests:
  - assert: [{ $ref: '#/assertionTemplates/polite' }, { $ref: '#/assertionTemplates/one' }, { $ref: '#/nothing' }, { $ref: 'other.yaml#/x' }]
`),
    )
    expect(code, text).toBe(0)
    expect(text).toContain('the reference `#/assertionTemplates/one`, which leads to itself')
    expect(text).toContain('the reference `#/nothing`, which leads to no value here')
    expect(text).toContain('promptfooconfig.yaml:8:55')
    expect((await assay(['eval', '--quiet'], { cwd })).code).toBe(0)
  })

  it.each([
    ['a list of tests that names its own file', 'tests: file://tests.yaml', '- file://tests.yaml\n- vars: {}\n'],
    ['tests that are the configuration', 'tests: file://promptfooconfig.yaml', ''],
    ['variables of a file that names itself', 'tests: [{ vars: { a: file://tests.yaml } }]', 'file://tests.yaml\n'],
    ['an alias of itself', 'tests: &all [*all]', ''],
  ])('does not follow %s', async (_, line, tests) => {
    const { text, code } = await imported(
      project(`prompts: ['Hi {{a}}']\nproviders: [echo]\n${line}\n`, { 'inside/tests.yaml': tests }),
    )
    expect([0, 2], text).toContain(code)
    expect(text).toMatch(/(?:promptfooconfig|tests)\.yaml/)
  })

  it('does not follow links of folders to themselves', async () => {
    const root = project('prompts: [Hi]\nproviders: [echo]\ntests: [{ assert: [{ type: contains, value: Hi }] }]\n')
    mkdirSync(join(root, 'inside/below'))
    symlinkSync('..', join(root, 'inside/below/up'))
    const { code, stdout } = await assay(['import', '.'], { cwd: join(root, 'inside') })
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 test carried over')])
  })

  it('fills in variables that name each other only a few times', async () => {
    const { code, cwd } = await imported(
      project(`prompts: ['{{a}}']\nproviders: [echo]\ntests:
  - { vars: { a: 'x{{b}}', b: 'y{{a}}' }, assert: [{ type: contains, value: x }] }\n`),
    )
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8').length).toBeLessThan(2000)
  })
})

describe('hostile text in a source', () => {
  const ESCAPE = '\\u001b[31mred\\u0007'

  it('writes ids and names with control characters as YAML, and never prints them', async () => {
    const { cwd, code, text } = await imported(
      project(`description: "${ESCAPE}"
prompts: [{ raw: "Hi", label: "../../${ESCAPE}" }, { raw: "Ho", label: "a/b" }]
providers: [{ id: echo, label: "../${ESCAPE}" }]
tests:
  - { description: "${ESCAPE}", assert: [{ type: "${ESCAPE}" }, { type: contains, value: H }] }
  - { id: "../../up", assert: [{ type: contains, value: "\\0{{x}}" }] }
`),
    )
    expect(code, text).toBe(0)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    const report = readFileSync(join(cwd, 'import-report.md'), 'utf8')
    expect(report.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect((await assay(['validate'], { cwd })).code).toBe(0)
    expect((await assay(['eval', '--quiet'], { cwd })).code).toBe(1)
  })

  it('writes nothing outside of the output folder, and reads nothing outside of the project', async () => {
    const root = project(
      `prompts: [file://../secret.txt, 'Hi {{a}}']
providers: [echo]
defaultTest: file://../secret.yaml
tests:
  - file://../secret.csv
  - vars: { a: file://../secret.txt }
    assert:
      - { type: javascript, value: file://../../../evil.js }
      - { type: python, value: file://../evil.py }
      - { type: contains, value: file://../secret.txt }
      - { type: contains, value: Hi }
`,
      {
        'secret.txt': 'TOP-SECRET',
        'secret.csv': 'a\nTOP-SECRET\n',
        'secret.yaml': 'vars: { b: TOP-SECRET }',
        'evil.py': '',
      },
    )
    const before = readdirSync(root).sort()
    const { cwd, code, text } = await imported(root, '-o', 'out')
    expect(code, text).toBe(0)
    expect(readdirSync(root).sort()).toEqual(before)
    const written = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    for (const { parentPath, name } of written)
      expect(readFileSync(join(parentPath, name), 'utf8'), name).not.toContain('TOP-SECRET')
    expect(readFileSync(join(cwd, 'out/import-report.md'), 'utf8')).toContain('outside of the project')
  })

  it('overwrites no file of the user: neither suites, nor programs, nor reports', async () => {
    const config = `prompts: [Hi]\nproviders: [echo]
tests: [{ assert: [{ type: javascript, value: 'true' }, { type: is-sql }] }]\n`
    for (const file of ['EVAL.yaml', 'judges/javascript-assertion.mjs', 'import-report.md']) {
      const { cwd, code, text } = await imported(project(config, { [`inside/${file}`]: 'mine\n' }))
      expect([code, text]).toEqual([2, expect.stringContaining(`${file} already exists. Nothing was written.`)])
      expect(readFileSync(join(cwd, file), 'utf8')).toBe('mine\n')
      expect(existsSync(join(cwd, '.assay'))).toBe(false)
    }
    const { cwd } = await imported(project(config))
    expect((await assay(['import', 'promptfooconfig.yaml'], { cwd })).stdout).toContain('unchanged import-report.md')
  })
})
