import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

const COMMANDS = readdirSync(join(import.meta.dirname, '../../../src/cli/commands'))
  .map(name => basename(name, '.ts'))
  .filter(name => name !== 'index')

/** Prints the files that a program has loaded. */
const LIST = `process.on('exit', () => console.error(Object.keys(require.cache).join('\\n')))`

/** The commands whose chunks the program loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const folder = folderWith({ 'list.cjs': LIST })
  const { stderr } = await run(process.execPath, ['--require', join(folder, 'list.cjs'), PROGRAM, ...args], {
    cwd: folder,
  })
  const chunks = [...stderr.matchAll(/dist\/chunks\/([\w-]+)-[\w-]{8}\.cjs/g)].map(([, name = '']) => name)
  return COMMANDS.filter(name => chunks.includes(name))
}

it('--help loads no command, and a command loads only itself', async () => {
  expect(existsSync(PROGRAM)).toBe(true)
  expect(await loadedBy('--help')).toEqual([])
  expect(await loadedBy('schema')).toEqual(['schema'])
})

it('validate does not load modules of Node that it does not use', async () => {
  const suite = {
    name: 'sums',
    tests: [{ id: 'a', criteria: 'Adds', input: '1+1', assert: [{ type: 'contains', value: '2' }] }],
  }
  const list = `process.on('exit', () => console.error(process.moduleLoadList.join('\\n')))`
  const folder = folderWith({ 'EVAL.yaml': JSON.stringify(suite), 'list.cjs': list })
  const { code, stderr } = await run(process.execPath, ['--require', './list.cjs', PROGRAM, 'validate'], {
    cwd: folder,
  })
  expect(code).toBe(0)
  expect(stderr).toMatch(/^NativeModule fs$/m)
  expect(stderr).not.toMatch(/^NativeModule (child_process|crypto|readline)$/m)
})
