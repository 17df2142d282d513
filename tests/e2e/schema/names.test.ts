import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('schema', () => {
  it.each([
    [['schema'], 'eval'],
    [['schema', 'eval'], 'eval'],
    [['schema', 'targets'], 'targets'],
    [['schema', 'config'], 'config'],
    [['schema', 'answer'], 'answer'],
  ])('%j prints the committed file', async (args, name) => {
    const { code, stdout } = await assay(args, { cwd: folderWith() })
    expect(code).toBe(0)
    expect(stdout).toBe(readFileSync(join(ROOT, `schema/${name}.schema.json`), 'utf8'))
  })

  it('lists the schemas if the name is unknown', async () => {
    const { code, stderr } = await assay(['schema', 'suite'], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('eval, targets')
  })
})
