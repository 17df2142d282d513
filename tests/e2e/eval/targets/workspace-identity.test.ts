import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evalFolder } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'

it('makes a workspace part of the target, whichever of its files changes', async () => {
  const target = { name: 'default', provider: 'cli', command: ['sh', '-c', 'cat data.txt'], workspace: 'app' }
  const tests = ['a', 'b'].map(id => ({ id, input: id }))
  const cwd = evalFolder(tests, [target], { 'app/data.txt': 'ok', 'app/.tool/settings': 'one' })
  const status = async () => JSON.parse((await assay(['status', '--json'], { cwd })).stdout).tests
  expect((await assay(['eval'], { cwd })).code).toBe(0)
  expect(await status()).toMatchObject([{ state: 'current' }, { state: 'current' }])
  writeFileSync(join(cwd, 'app/.tool/settings'), 'two')
  expect(await status()).toMatchObject([
    { state: 'changed', reasons: ['app changed'] },
    { state: 'changed', reasons: ['app changed'] },
  ])
})
