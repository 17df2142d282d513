import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { PROGRAM, run } from '../../support/program.ts'
import { suiteFolder, wordTest } from '../../support/runs.ts'

describe('the summary', () => {
  it('prints a command for details that works for any id', async () => {
    const cwd = suiteFolder({ name: 'ids', tests: [wordTest("it's two words", 'no', 'yes')] })
    const { stderr } = await assay(['eval'], { cwd })
    const [, command = ''] = /^Details: (assay explain .+)$/m.exec(stderr) ?? []
    const line = command.replace('assay', `'${process.execPath}' '${PROGRAM}'`)
    const { code, stdout } = await run('sh', ['-c', line], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain("it's two words on default")
  })
})
