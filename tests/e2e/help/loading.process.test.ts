import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

const COMMANDS = readdirSync(join(import.meta.dirname, '../../../src/cli/commands'))
  .map(name => basename(name, '.ts'))
  .filter(name => name !== 'index')

/** The commands whose chunks the program loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const { stderr } = await run(process.execPath, [PROGRAM, ...args], { cwd: folderWith(), env: { NODE_DEBUG: 'esm' } })
  const chunks = [...stderr.matchAll(/dist\/chunks\/([\w-]+)-[\w-]{8}\.js/g)].map(([, name = '']) => name)
  return COMMANDS.filter(name => chunks.includes(name))
}

it('--help loads no command, and a command loads only itself', async () => {
  expect(existsSync(PROGRAM)).toBe(true)
  expect(await loadedBy('--help')).toEqual([])
  expect(await loadedBy('schema')).toEqual(['schema'])
})
