import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, run } from '../../support/program.ts'
import { blocksOf, inShell, normalizeOutput, ROOT, testPages, userFolder } from './documented-commands.ts'

testPages(['README.md', 'CONTRIBUTING.md'], inShell)

it('the suites of README.md are valid', async () => {
  const suites = blocksOf('README.md').filter(({ language, text }) => language === 'yaml' && text.startsWith('name:'))
  expect(suites.length).toBeGreaterThan(0)
  for (const { text } of suites) {
    const { code, stdout } = await assay(['validate', '--strict'], { cwd: folderWith({ 'EVAL.yaml': `${text}\n` }) })
    expect([code, stdout]).toEqual([0, 'No problems: 1 file checked, 1 suite with 1 test.\n'])
  }
})

it('the commands of CONTRIBUTING.md are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const commands = blocksOf('CONTRIBUTING.md').flatMap(({ text }) => text.split('\n'))
  for (const command of commands) expect(command === 'npm ci' || command.replace('npm run ', '') in scripts).toBe(true)
})

const EXAMPLE = 'npx assay eval examples/quick-start'

it('README.md shows the real output of its first command', async () => {
  const shown = blocksOf('README.md').find(({ before }) => before.includes('output of the example command'))
  const { code, stdout, stderr } = await run('sh', ['-c', EXAMPLE.replace('npx ', '')], userFolder())
  expect([code, normalizeOutput(stdout + stderr)]).toEqual([0, normalizeOutput(shown?.text ?? 'nothing')])
})

it('the link that npx keeps to the program of an older clone still leads to it', async () => {
  const { code, stdout } = await run(join(ROOT, 'dist/assay.js'), ['--version'], userFolder())
  expect([code, stdout]).toEqual([0, `${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`])
})

it('.ci/run executes the commands that README.md names', () => {
  const [example, all] = blocksOf('README.md').filter(({ language }) => language === 'sh')
  expect(example?.text).toBe(`npm ci && npm run build && ${EXAMPLE}`)
  expect(all?.text).toBe('npm ci && npm run check')
  const script = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  expect(script).toContain('<!-- test command -->')
  expect(script).toContain('<!-- example command -->')
})
