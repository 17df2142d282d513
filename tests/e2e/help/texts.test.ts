import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { commands } from '../../../src/cli/commands/index.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

describe('assay --help', () => {
  it('prints the version with --version', async () => {
    for (const flag of ['--version', '-V']) {
      expect(await assay([flag], { cwd: folderWith() })).toEqual({
        code: 0,
        stdout: `${manifest.version}\n`,
        stderr: '',
      })
    }
  })

  it.each([[], ...commands.map(({ name }) => [name])])('has an example for %j', async (...command) => {
    const { code, stdout } = await assay([...command, '--help'], { cwd: folderWith() })
    expect(code).toBe(0)
    expect(stdout, 'add `.addHelpText("after", example(…))` to the command').toMatch(/\nExamples?:\n {2}\$ assay /)
  })

  it('is printed without a command', async () => {
    const { code, stderr } = await assay([], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('Usage: assay')
  })
})
