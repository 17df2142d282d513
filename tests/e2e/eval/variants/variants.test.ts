import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { resultsIn } from '../../../support/suite-run.ts'
import { project, suite, TARGETS, tests, VARIANTS, verdictsIn } from './prompts.ts'

async function targetsOf(cwd: string, ...options: string[]): Promise<string[]> {
  const { stdout, stderr } = await assay(['eval', '--plan', '--json', ...options], { cwd })
  const plan = stdout === '' ? { suites: [] } : JSON.parse(stdout)
  const arms = plan.suites.map(
    ({ target, control }: { target: string; control?: true }) => target + (control ? '*' : ''),
  )
  return stderr.includes('error') ? [stderr] : arms
}

describe('variants of a suite', () => {
  it('run on each target, as arms named after both', async () => {
    const cwd = project()
    const { code, stderr } = await assay(['eval', '--quiet'], { cwd })
    expect(verdictsIn(cwd)).toEqual(
      ['large', 'small'].flatMap(target =>
        ['loud t1 fail', 'loud t2 fail', 'plain* t1 fail', 'plain* t2 fail', 'polite t1 pass', 'polite t2 pass'].map(
          rest => `${target}/${rest}`,
        ),
      ),
    )
    const sent = resultsIn(cwd).filter(({ test_id, target }) => test_id === 't1' && target.startsWith('small'))
    expect(sent.sort((a, b) => a.index - b.index).map(({ input }) => input)).toEqual(
      ['What is 1?', 'What is 1?, please', 'What is 1?!'].map(content => [{ role: 'user', content }]),
    )
    expect(code, 'loud is not a control arm').toBe(1)
    expect(stderr).toContain('Does it help? small/polite against the control arm small/plain')
    expect(stderr).not.toContain('large/polite against the control arm small/plain')
  })

  it('are compared with the control variant of the same target', async () => {
    const cwd = project({ tests: tests(8), variants: VARIANTS.slice(0, 2) })
    const { code, stderr } = await assay(['eval', '--require-better', '--quiet'], { cwd })
    expect(code).toBe(0)
    expect(stderr.match(/^better$/gm)).toHaveLength(2)
    const report = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(report.stdout.match(/arms differ in: input$/gm)).toHaveLength(2)
    expect(report.stdout).toContain('8 tests compared: 8 improved, 0 worse, 0 the same')
    const compared = await assay(['compare', 'latest', '--target', 'small/plain', '--target', 'small/polite'], { cwd })
    expect(compared.stdout).toContain('8 tests compared: 8 improved')
  })

  it('decide with as few pairs as needed', async () => {
    const cwd = project({ tests: tests(20), variants: VARIANTS.slice(0, 2), execution: { target: 'small' } })
    const { code, stderr } = await assay(['eval', '--until-decided', '--seed', '1', '--quiet'], { cwd })
    expect(stderr).toContain('better: small/polite against small/plain')
    expect(code).toBe(0)
  })

  it('have messages of any role', async () => {
    const variants = [
      {
        name: 'roles',
        input: [
          { role: 'system', content: 'Say {{word}}' },
          { role: 'user', content: '{{input}}' },
        ],
      },
      { name: 'text', input: '{{word}}: {{input}}' },
    ]
    const test = {
      id: 'a',
      criteria: 'x',
      input: 'Hi',
      vars: { word: 'please' },
      assert: [{ type: 'contains', value: 'please' }],
    }
    const cwd = project({ variants, tests: [test], execution: { target: 'small' } })
    await assay(['eval'], { cwd })
    const results = resultsIn(cwd).sort((a, b) => a.index - b.index)
    expect(results.map(({ input }) => input)).toEqual([
      [
        { role: 'system', content: 'Say please' },
        { role: 'user', content: 'Hi' },
      ],
      [{ role: 'user', content: 'please: Hi' }],
    ])
  })

  it('are compared like any targets without a control', async () => {
    const cwd = project({ variants: VARIANTS.map(({ control, ...variant }) => variant) })
    await assay(['eval'], { cwd })
    expect(verdictsIn(cwd).some(line => line.includes('*'))).toBe(false)
  })
})

describe('the identity of a variant', () => {
  it('makes only the attempts of an edited variant again', async () => {
    const cwd = project()
    await assay(['eval'], { cwd })
    const before = resultsIn(cwd)
    const edited = VARIANTS.map(variant =>
      variant.name === 'loud' ? { ...variant, input: 'please {{input}}' } : variant,
    )
    writeFileSync(join(cwd, 'EVAL.yaml'), suite({ variants: edited }))
    const { code } = await assay(['eval', '--resume'], { cwd })
    expect(code).toBe(0)
    const after = new Map(resultsIn(cwd).map(result => [`${result.target} ${result.test_id}`, result]))
    const changed = before.filter(old => after.get(`${old.target} ${old.test_id}`)?.attempt_id !== old.attempt_id)
    expect(changed.map(({ target, test_id }) => `${target} ${test_id}`).sort()).toEqual([
      ...['large/loud t1', 'large/loud t2', 'small/loud t1', 'small/loud t2'],
    ])
    for (const key of ['test_hash', 'input_hash'] as const)
      expect(changed.every(old => after.get(`${old.target} ${old.test_id}`)?.[key] !== old[key])).toBe(true)
    const report = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(report.stdout, 'kept and new attempts are compared').toContain('2 tests compared: 2 improved, 0 worse')
  })

  it('lets --affected carry over the other variants, unless they are compared with a control', async () => {
    const alone = VARIANTS.map(({ control, ...variant }) => variant)
    const edited = alone.map(variant => (variant.name === 'loud' ? { ...variant, input: 'please {{input}}' } : variant))
    const cwd = project({ variants: alone })
    await assay(['eval'], { cwd })
    await assay(['baseline', 'save'], { cwd })
    writeFileSync(join(cwd, 'EVAL.yaml'), suite({ variants: edited }))
    const { stdout } = await assay(['status', '--why'], { cwd })
    expect(stdout).toMatch(/large\/loud.*input changed/)
    await assay(['eval', '--affected'], { cwd })
    expect(verdictsIn(cwd)).toEqual([
      ...['large/loud t1 pass', 'large/loud t2 pass', 'small/loud t1 pass', 'small/loud t2 pass'],
    ])
  })

  it('lets the same answers be graded again', async () => {
    const cwd = project()
    await assay(['eval'], { cwd })
    const before = verdictsIn(cwd)
    expect((await assay(['grade', 'latest'], { cwd })).code).toBe(1)
    expect(verdictsIn(cwd)).toEqual(before)
  })
})

describe('--target and --control', () => {
  it('select all variants of a target, or one of them', async () => {
    const cwd = project()
    expect(await targetsOf(cwd, '--target', 'small')).toEqual(['small/plain*', 'small/polite', 'small/loud'])
    expect(await targetsOf(cwd, '--target', 'small/loud')).toEqual(['small/loud'])
    const twice = await assay(['eval', '--plan', '--target', 'small', '--target', 'small/loud'], { cwd })
    expect(twice.stdout, 'each arm once').toContain('6 attempts')
    expect(await targetsOf(cwd, '--target', 'small/plain'), 'a lone variant is no control').toEqual(['small/plain'])
    expect(await targetsOf(cwd, '--target', 'small/loud', '--target', 'small/plain')).toEqual([
      'small/loud',
      'small/plain*',
    ])
  })

  it('report names that do not exist, with a suggestion', async () => {
    const cwd = project()
    const [unknown] = await targetsOf(cwd, '--target', 'small/lout')
    expect(unknown).toContain('no target named `small/lout`')
    expect(unknown).toContain('did you mean `small/loud`?')
    expect((await targetsOf(cwd, '--control', 'tiny/loud'))[0]).toContain('no target named `tiny`')
  })

  it('compare targets variant by variant, or all arms with one', async () => {
    const cwd = project({ variants: VARIANTS.slice(0, 2) })
    expect(await targetsOf(cwd, '--control', 'small')).toEqual([
      ...['large/plain', 'large/polite', 'small/plain*', 'small/polite*'],
    ])
    await assay(['eval', '--control', 'small'], { cwd })
    const { stdout } = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(stdout.match(/^Does it help.*$/gm)).toEqual([
      'Does it help? large/plain against the control arm small/plain',
      'Does it help? large/polite against the control arm small/polite',
    ])
    expect(await targetsOf(cwd, '--control', 'small/polite', '--target', 'small')).toEqual([
      ...['small/plain', 'small/polite*'],
    ])
  })

  it('ablate each variant', async () => {
    const targets = TARGETS.map(target => ({ ...target, system_prompt: 'Be kind' }))
    const cwd = project({}, { '.assay/targets.yaml': JSON.stringify({ targets }) })
    expect(await targetsOf(cwd, '--target', 'small', '--ablate', 'system_prompt')).toEqual(
      ['plain', 'polite', 'loud'].flatMap(name => [`small/${name}`, `small-without-system-prompt/${name}*`]),
    )
  })
})

describe('suites with variants', () => {
  it('have their own, in one run with others', async () => {
    const other = { name: 'other', variants: [{ name: 'kind', input: '{{input}} please' }] }
    const none = { name: 'none', variants: undefined }
    const cwd = project({}, { 'other.eval.yaml': suite(other), 'none.eval.yaml': suite(none) })
    await assay(['eval', '--target', 'small'], { cwd })
    const targets = new Set(
      resultsIn(cwd).map(({ suite, target, control }) => `${suite} ${target}${control ? '*' : ''}`),
    )
    expect([...targets].sort()).toEqual([
      ...['none small', 'other small/kind', 'prompts small/loud', 'prompts small/plain*', 'prompts small/polite'],
    ])
  })

  it('keep all arms of a test in one shard', async () => {
    const cwd = project()
    await assay(['eval', '--shard', '1/2'], { cwd })
    expect(new Set(resultsIn(cwd).map(({ test_id }) => test_id))).toEqual(new Set(['t1']))
    expect(resultsIn(cwd)).toHaveLength(6)
  })

  it('share the limits of a target', async () => {
    const agent = `import { mkdirSync, rmdirSync } from 'node:fs'
try { mkdirSync('busy') } catch { console.log('two at once'); process.exit() }
setTimeout(() => { rmdirSync('busy'); console.log('right') }, 50)`
    const targets = [{ name: 'small', provider: 'cli', command: ['node', 'agent.mjs'], workers: 1 }]
    const files = { 'agent.mjs': agent, '.assay/targets.yaml': JSON.stringify({ targets }) }
    const cwd = project({ execution: { target: 'small' } }, files)
    await assay(['eval'], { cwd })
    expect(new Set(resultsIn(cwd).map(({ answer }) => answer))).toEqual(new Set(['right']))
  })

  it('apply checks to a target with all variants, or to one variant', async () => {
    const assert = [
      { type: 'contains', value: 'What' },
      { type: 'contains', name: 'on small', value: 'What', applies_to: ['small'] },
      { type: 'contains', name: 'on loud', value: '!', applies_to: ['small/loud', 'large/loud'] },
    ]
    const cwd = project({ tests: [{ id: 'a', criteria: 'x', input: 'What', assert }] })
    expect((await assay(['eval'], { cwd })).code).toBe(0)
    const applied = resultsIn(cwd).map(({ target, evaluator_results }) => [
      target,
      evaluator_results.filter(({ not_applicable }) => !not_applicable).length,
    ])
    expect(Object.fromEntries(applied)).toEqual({
      ...{ 'small/plain': 2, 'small/polite': 2, 'small/loud': 3 },
      ...{ 'large/plain': 1, 'large/polite': 1, 'large/loud': 2 },
    })
    const unknown = [{ type: 'contains', value: 'x', applies_to: ['small/lout'] }]
    writeFileSync(join(cwd, 'EVAL.yaml'), suite({ assert: unknown }))
    expect((await assay(['eval'], { cwd })).stderr).toContain('did you mean `small/loud`?')
  })

  it('are listed, and transpiled with a note on what is left out', async () => {
    const cwd = project()
    expect((await assay(['list'], { cwd })).stdout).toContain('variants: plain (control), polite, loud')
    const [listed] = JSON.parse((await assay(['list', '--json'], { cwd })).stdout)
    expect(listed.variants).toEqual([{ name: 'plain', control: true }, { name: 'polite' }, { name: 'loud' }])
    for (const format of ['skill-creator', 'plugin-evals']) {
      const { stderr } = await assay(['transpile', 'EVAL.yaml', '--to', format], { cwd })
      expect(stderr).toContain('the variants `polite`, `loud` (only `plain` is written)')
    }
  })
})
