import { expect, it } from 'vitest'
import type { Host, Program } from '../../src/model/host.ts'
import { gitFiles } from '../../src/plan/workspace-files.ts'

const MANY = 200_000

it('lists the files of many nested repositories', async () => {
  const inner = Array.from({ length: MANY }, (_, index) => `file-${index}`)
  const listed = (folder: string) => (folder === '/outer' ? ['own', 'inner/'] : inner)
  const host = {
    files: { stat: async () => ({ kind: 'folder', size: 0, executable: false }) },
    processes: {
      run: async ({ command, cwd }: Program) => {
        const names = command.includes('--stage') ? [] : listed(cwd)
        return {
          code: 0,
          signal: undefined,
          stdout: names.map(name => `${name}\0`).join(''),
          stderr: '',
          tooLarge: false,
        }
      },
    },
  } as unknown as Host
  const files = await gitFiles('/outer', host)
  expect(files).toHaveLength(MANY + 1)
  expect(files?.[MANY]).toBe(`inner/file-${MANY - 1}`)
})
