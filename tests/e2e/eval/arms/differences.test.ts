import { describe, expect, it } from 'vitest'
import type { Target } from '../../../../src/model/target.ts'
import { ArmPairs } from '../../../../src/plan/arm-pairs.ts'
import { claudeCli } from '../../../../src/providers/claude-cli.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { runInfoOf, wordTest } from '../../../support/runs.ts'

const BASE = { name: 'base', provider: 'mock', response: 'hello', price: { output: 2, input: 1 } }

function project(targets: readonly object[], execution: object, tests = [wordTest('one', 'Hi', 'hello')]): string {
  return folderWith({
    '.assay/targets.yaml': JSON.stringify({ targets }),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution, tests }),
  })
}

describe('the fields in which arms differ', () => {
  const targets = [
    BASE,
    { name: 'rude', extends: 'base', response: 'bye', price: { input: 1, output: 2 }, workers: 2 },
    { name: 'brief', extends: 'base', system_prompt: 'Be brief.' },
  ]

  it('are recorded and shown with each comparison', async () => {
    const cwd = project(targets, { targets: ['brief', 'rude', 'base'], control: 'base' })
    const { stderr } = await assay(['eval'], { cwd })
    expect(runInfoOf(cwd).arms).toEqual([
      { target: 'brief', control: 'base', differs_in: ['system_prompt'] },
      { target: 'rude', control: 'base', differs_in: ['response', 'workers'] },
    ])
    expect(stderr).toContain('arms differ in: response, workers')
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await assay(['report', 'latest', '--format', format], { cwd })
      expect(stdout.replaceAll(/&#95;|\\u005f/g, '_')).toContain('arms differ in: system_prompt')
    }
  })

  it('are shown before a run', async () => {
    const cwd = project(targets, { targets: ['rude', 'base'], control: 'base' })
    const { stdout } = await assay(['eval', '--plan'], { cwd })
    expect(stdout).toContain('rude and base differ in: response, workers\n')
    const data = await assay(['eval', '--plan', '--json'], { cwd })
    expect(JSON.parse(data.stdout).arms).toEqual([
      { target: 'rude', control: 'base', differs_in: ['response', 'workers'] },
    ])
  })

  it('are absent without a control arm', async () => {
    const cwd = project(targets, { targets: ['rude', 'base'] })
    await assay(['eval'], { cwd })
    expect(runInfoOf(cwd)).not.toHaveProperty('arms')
  })

  it('are those of the copy with --ablate', async () => {
    const cwd = project(targets, { target: 'brief' })
    const { stderr } = await assay(['eval', '--ablate', 'system_prompt'], { cwd })
    expect(stderr).toContain('arms differ in: system_prompt')
  })

  it('are missing with a warning where arms do not differ', async () => {
    const cwd = project([BASE, { name: 'same', extends: 'base' }], { targets: ['same', 'base'], control: 'base' })
    const { stderr } = await assay(['eval'], { cwd })
    expect(stderr).toMatch(/^warning arms same and base do not differ\n/)
    expect(stderr).toContain('arms do not differ\n')
  })

  it('cover all suites in which the arms are compared', async () => {
    const suite = (name: string) =>
      JSON.stringify({ name, execution: { targets: ['a', 'b'], control: 'b' }, tests: [wordTest('one', 'Hi', 'x')] })
    const file = (response: string, more: object) =>
      JSON.stringify({
        targets: [
          { name: 'a', provider: 'mock', response: 'x' },
          { name: 'b', provider: 'mock', response, ...more },
        ],
      })
    const cwd = folderWith({
      'one/EVAL.yaml': suite('one'),
      'one/.assay/targets.yaml': file('x', { workers: 2 }),
      'two/EVAL.yaml': suite('two'),
      'two/.assay/targets.yaml': file('y', {}),
      '.assay/config.yaml': '{}',
    })
    await assay(['eval'], { cwd })
    expect(runInfoOf(cwd).arms).toEqual([{ target: 'a', control: 'b', differs_in: ['response', 'workers'] }])
  })

  it('include the configuration of the user, which an agent without a list of skills has', () => {
    const agent = (name: string, fields: object) =>
      ({
        name,
        provider: claudeCli,
        config: fields,
        written: { name, provider: 'claude_cli', ...fields },
      }) as unknown as Target
    const differs = (fields: object) => {
      const pairs = new ArmPairs()
      const control = { target: agent('without', fields), is_control: true } as const
      pairs.add([{ target: agent('with', { skills: ['skills/csv'] }) }, control])
      return pairs.pairs[0]?.differs_in
    }
    expect(differs({ skills: [] })).toEqual(['skills'])
    expect(differs({})).toEqual(['config_dir', 'skills'])
    expect(differs({ config_dir: 'isolated' })).toEqual(['skills'])
  })
})
