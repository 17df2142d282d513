import { expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { providerModule, wordTest } from '../../../support/runs.ts'

/** Answers `yes` with a system prompt, and to the target `lucky` also without one. */
const ANSWERS = providerModule(`
    return { text: prompt.system_prompt || config.lucky ? 'yes' : 'no' }`)

const TARGETS = ['plain', 'lucky'].map(name => ({
  name,
  provider: './own.mjs',
  lucky: name === 'lucky',
  system_prompt: 'Say yes.',
}))

function project(): string {
  const tests = Array.from({ length: 8 }, (_, index) => wordTest(`t${index}`, 'Hi', 'yes'))
  return folderWith({
    'own.mjs': ANSWERS,
    '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution: { targets: ['plain', 'lucky'] }, tests }),
  })
}

it('compares each target with its own copy only', async () => {
  const cwd = project()
  const { stderr } = await assay(['eval', '--ablate', 'system_prompt'], { cwd })
  expect(stderr.match(/Does it help\? .*/g)).toEqual([
    'Does it help? plain against the control arm plain-without-system-prompt',
    'Does it help? lucky against the control arm lucky-without-system-prompt',
  ])
  const { stdout } = await assay(['report', 'latest', '--format', 'jsonl'], { cwd })
  const results = stdout.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
  expect(results.slice(0, 4).map(({ target, control_of }) => [target, control_of])).toEqual([
    ['plain', undefined],
    ['plain-without-system-prompt', 'plain'],
    ['lucky', undefined],
    ['lucky-without-system-prompt', 'lucky'],
  ])
})

it('decides about each target with its own copy only', async () => {
  const { stderr } = await assay(['eval', '--ablate', 'system_prompt', '--until-decided'], { cwd: project() })
  expect(stderr).toContain('better: plain against plain-without-system-prompt')
  expect(stderr).toContain('inconclusive: lucky against lucky-without-system-prompt')
  expect(stderr).not.toContain('plain against lucky')
})
