import { expect, it } from 'vitest'
import { assay } from '../../support/program.ts'
import { providerModule, suiteFolder, wordTest } from '../../support/runs.ts'

const KEY = 'sk-Zq8MarkOne\nVx7MarkTwo'

it('exits as a bug, with the key redacted, if a provider throws outside its promise', async () => {
  const late = providerModule(
    `setTimeout(() => { throw new Error(config.token + ' \\u001b[31m') }); await new Promise(() => {})`,
  )
  const target = { name: 'default', provider: './own.mjs', token: '${{ MY_KEY }}' }
  const targets = JSON.stringify({ targets: [target] })
  const folder = suiteFolder({ name: 'late', tests: [wordTest('a', 'Hi', 'x')] }, targets, { 'own.mjs': late })
  const { code, stderr } = await assay(['eval'], { cwd: folder, env: { MY_KEY: KEY } })
  expect(code).toBe(70)
  expect(stderr).toContain('Error: [MY_KEY] ␛[31m')
  expect(stderr).not.toMatch(/Zq8MarkOne|Vx7MarkTwo/)
})
