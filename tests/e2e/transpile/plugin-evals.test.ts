import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const test = (id: string, more: object = {}) => ({
  id,
  criteria: 'Says ok',
  input: `Query ${id}`,
  assert: [{ type: 'contains', value: 'ok' }],
  ...more,
})
const suite = (...tests: object[]) => JSON.stringify({ name: 'suite', execution: { threshold: 1 }, tests })

const TO = ['transpile', 'EVAL.yaml', '--to', 'plugin-evals']
const read = (cwd: string, file: string) => readFileSync(join(cwd, file), 'utf8')

describe('assay transpile --to plugin-evals', () => {
  it('writes a case for each test into the folder evals beside the suite', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite(test('one'), test('Größe/2')) })
    const { code, stdout, stderr } = await assay(TO, { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      ['one/prompt.md', 'one/graders/contains.md', 'Größe-2/prompt.md', 'Größe-2/graders/contains.md']
        .map(file => `wrote evals/${file}\n`)
        .join(''),
    )
    expect(read(cwd, 'evals/Größe-2/prompt.md')).toBe(`---
# Written by assay transpile from ../EVAL.yaml; edit that file instead.
name: "Größe/2"
expected_outcome: "Says ok"
runs: 1
---

Query Größe/2
`)
    expect((await assay([...TO, '--check'], { cwd })).code).toBe(0)
    expect((await assay(['validate', 'evals'], { cwd })).code).toBe(0)
  })

  it('does not write the cases of a plugin over themselves, also when forced', async () => {
    const prompt = 'Sum up\n'
    const cwd = folderWith({
      'plugin.json': '{"name": "sums"}',
      'evals/sum/prompt.md': prompt,
      'evals/sum/graders/a.md': '---\ntype: regex\n---\n7\n',
    })
    const { code, stderr } = await assay(['transpile', '.', '--to', 'plugin-evals', '--force'], { cwd })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('evals would be overwritten') })
    expect(read(cwd, 'evals/sum/prompt.md')).toBe(prompt)
  })

  it('prints the files with --stdout and writes none', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite(test('one')) })
    const { stdout } = await assay([...TO, '--stdout'], { cwd })
    expect(JSON.parse(stdout).map(({ file }: { file: string }) => file)).toEqual([
      'one/prompt.md',
      'one/graders/contains.md',
    ])
    expect(readdirSync(cwd)).toEqual(['EVAL.yaml'])
  })

  it('writes nothing with --strict if something is lost', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite(test('one', { note: 'For judges' })) })
    const { code, stderr } = await assay([...TO, '--strict'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('plugin evals cannot express these parts of `one`: the note for judges')
    expect(existsSync(join(cwd, 'evals'))).toBe(false)
  })

  it('fails if no test can be written', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite(test('one', { assert: [{ type: 'cost', budget: 1 }] })) })
    const { code, stderr } = await assay(TO, { cwd })
    expect(code).toBe(5)
    expect(stderr).toContain('`one` is left out: plugin evals cannot express any of its checks')
    expect(stderr).toContain('No test of EVAL.yaml can be written as plugin-evals')
  })
})

describe('files of an earlier version', () => {
  it('of a removed test are reported by --check and removed, but for those of others', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite(test('one'), test('two')), 'other.eval.yaml': suite(test('three')) })
    await assay(TO, { cwd })
    await assay(['transpile', 'other.eval.yaml', '--to', 'plugin-evals'], { cwd })
    writeFileSync(join(cwd, 'evals/one/graders/mine.md'), '---\ntype: llm\n---\nMine\n')
    writeFileSync(join(cwd, 'EVAL.yaml'), suite(test('two')))
    const checked = await assay([...TO, '--check'], { cwd })
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain('evals/one/prompt.md is left from an earlier version of the suite')
    const { stdout } = await assay(TO, { cwd })
    expect(stdout).toContain('removed evals/one/graders/contains.md\nremoved evals/one/prompt.md\n')
    expect(readdirSync(join(cwd, 'evals')).sort()).toEqual(['one', 'three', 'two'])
    expect(readdirSync(join(cwd, 'evals/one/graders'))).toEqual(['mine.md'])
  })

  it('are replaced, and those of a person only with --force', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite(test('one')), 'evals/one/graders/contains.md': 'mine' })
    const refused = await assay(TO, { cwd })
    expect(refused.stderr).toContain('evals/one/graders/contains.md was not written by assay. Nothing was written')
    expect(existsSync(join(cwd, 'evals/one/prompt.md'))).toBe(false)
    expect((await assay([...TO, '--force'], { cwd })).code).toBe(0)
    writeFileSync(join(cwd, 'EVAL.yaml'), suite(test('one', { input: 'Another' })))
    expect((await assay(TO, { cwd })).stdout).toBe(
      'wrote evals/one/prompt.md\nunchanged evals/one/graders/contains.md\n',
    )
  })
})

const PLUGIN = {
  'plugin/.claude-plugin/plugin.json': '{"name": "commits"}',
  'plugin/evals/a/prompt.md': '---\nruns: 2\nallowed_tools: [Skill]\n---\n\nHi\n',
  'plugin/evals/a/case.yaml': 'schema_version: "1.0"\nname: a\nexecution: {}\ncontext: {scaffold_script: prepare.sh}\n',
  'plugin/evals/a/prepare.sh': 'touch x\n',
  'plugin/evals/a/graders/style.md': '---\ntype: regex\n---\n\n^fix\n',
  'plugin/evals/mocks/orders/get.md': 'Order\n',
}

describe('assay transpile --from a plugin', () => {
  it('writes a suite with paths from its own folder, and names the targets to add', async () => {
    const cwd = folderWith({ 'package.json': '{}', ...PLUGIN })
    const { code, stderr } = await assay(['transpile', '--from', 'plugin', '-o', 'suites/EVAL.yaml'], { cwd })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(
      'The suite needs these targets. Add them to .assay/targets.yaml in its folder:\ntargets:\n',
    )
    expect(stderr).toContain('plugins:\n      - ../plugin\n')
    expect(load(read(cwd, 'suites/EVAL.yaml'))).toMatchObject({
      name: 'commits',
      execution: { targets: ['with-plugin'], control: 'without-plugin', trials: 3, threshold: 1 },
      mocks: '../plugin/evals/mocks',
      tests: [
        {
          id: 'a',
          input: 'Hi',
          assert: [{ type: 'regex', value: '^fix', name: 'style' }],
          execution: { trials: 2, setup: expect.stringContaining(`/'../plugin/evals/a/prepare.sh'`) },
        },
      ],
    })
  })

  it('takes the name of a format, which the evals must have', async () => {
    const cwd = folderWith({ 'package.json': '{}', ...PLUGIN, 'evals.json': '{"evals": []}' })
    const converted = await assay(['transpile', '--from', 'plugin-evals', 'plugin'], { cwd })
    expect(converted.code).toBe(0)
    expect(converted.stdout).toMatch(/^name: commits\n/)
    const { code, stderr } = await assay(['transpile', '--from', 'plugin-evals', 'evals.json'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'evals.json is not in the format plugin-evals: name the folder of a plugin with evals.\n',
    })
  })

  it('goes to another format directly', async () => {
    const cwd = folderWith({ 'package.json': '{}', ...PLUGIN })
    const { code } = await assay(['transpile', 'plugin', '--to', 'agentskills', '--out-dir', 'out'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(read(cwd, 'out/_no-skill.json')).evals).toMatchObject([
      { prompt: 'Hi', assertions: ['Output matches regex: ^fix'] },
    ])
  })

  it('needs --to for an output folder', async () => {
    const { code, stderr } = await assay(['transpile', '--from', 'x', '--out-dir', 'y'], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('--out-dir cannot be used with --from, unless --to is given')
  })
})

describe('assay transpile --to agentskills', () => {
  it('writes assertions and eval_queries.json, and skill-creator expectations and trigger-evals.json', async () => {
    const labelled = [true, true, false, false].map((should_trigger, index) =>
      test(`t${index}`, { assert: [{ type: 'trigger_judge', skill: 'csv', should_trigger }] }),
    )
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify({ name: 'x', tests: labelled }) })
    for (const [format, key, set] of [
      ['agentskills', 'assertions', 'eval_queries.json'],
      ['skill-creator', 'expectations', 'trigger-evals.json'],
    ] as const) {
      const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--to', format, '--out-dir', format], { cwd })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(readdirSync(join(cwd, format)).sort()).toEqual(['evals.json', set].sort())
      expect(Object.keys(JSON.parse(read(cwd, `${format}/evals.json`)).evals[0])).toContain(key)
      expect((await assay(['validate', format], { cwd })).code).toBe(0)
    }
  })
})
