import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { project, suite, tests, VARIANTS } from './prompts.ts'

const RESPONSES = [
  { pattern: 'please', response: 'right' },
  { pattern: '.', response: 'wrong' },
]

const TARGETS = JSON.stringify({
  targets: ['small', 'large'].map(name => ({ name, provider: 'mock', responses: RESPONSES })),
})

interface Edit {
  readonly from?: object
  readonly to?: object
  readonly files?: readonly [Record<string, string>, Record<string, string>]
}

/** Runs a suite before and after an edit, then compares an arm of the first run with an arm of the second. */
async function compared({ from = {}, to = {}, files = [{}, {}] }: Edit, before: string, after: string) {
  const cwd = project({ tests: tests(6), ...from }, { '.assay/targets.yaml': TARGETS, ...files[0] })
  const runIn = async (folder: string) => {
    await assay(['eval', '--quiet', '--runs-dir', folder], { cwd })
    const [run = ''] = readdirSync(join(cwd, folder)).filter(name => name !== 'latest')
    return join(folder, run)
  }
  const first = await runIn('one')
  folderWith({ 'EVAL.yaml': suite({ tests: tests(6), ...from, ...to }), ...files[1] }, cwd)
  const runs = [first, await runIn('two')]
  const { stdout, stderr } = await assay(['compare', ...runs, '--target', before, '--target', after], { cwd })
  return stdout + stderr
}

describe('arms of two runs', () => {
  it('are compared if only their variants differ', async () => {
    const stdout = await compared({}, 'small/plain', 'small/polite')
    expect(stdout).toContain('6 tests compared: 6 improved')
  })

  it.each(['small/plain', 'large/plain'])('are not compared with %s after the variant was edited', async after => {
    const variants = VARIANTS.map(each => (each.name === 'plain' ? { ...each, input: '{{input}} please' } : each))
    const stdout = await compared({ to: { variants } }, 'small/plain', after)
    expect(stdout).toContain('left out: 6 changed')
    expect(stdout).not.toContain('better')
  })

  it('are not compared after the input of the tests was edited', async () => {
    const edited = tests(6).map(test => ({ ...test, input: 'Say it, please' }))
    const stdout = await compared({ to: { tests: edited } }, 'small/plain', 'small/loud')
    expect(stdout).toContain('left out: 6 changed')
    expect(stdout).not.toContain('better')
  })

  it('are not compared after a variable of the tests was edited', async () => {
    const of = (country: string) => tests(6).map(test => ({ ...test, vars: { country } }))
    const variants = ['plain', 'loud'].map(name => ({ name, input: `${name}: {{country}}? {{input}}` }))
    const stdout = await compared(
      { from: { variants, tests: of('Norway') }, to: { tests: of('please') } },
      'small/plain',
      'small/loud',
    )
    expect(stdout).toContain('left out: 6 changed')
  })

  it('are not compared after a file of the tests was edited', async () => {
    const from = { tests: tests(6).map(test => ({ ...test, input_files: ['note.md'] })) }
    const stdout = await compared(
      { from, files: [{ 'note.md': 'a' }, { 'note.md': 'b' }] },
      'small/plain',
      'small/loud',
    )
    expect(stdout).toContain('left out: 6 changed')
  })
})
