import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('init', () => {
  it('writes a valid suite with targets and the schema comment for editors', async () => {
    const cwd = folderWith()
    const { code, stdout } = await assay(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('wrote EVAL.yaml')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/\.assay\/schema\/eval\.schema\.json\n/,
    )
    const { $comment, ...schema } = JSON.parse(readFileSync(join(cwd, '.assay/schema/targets.schema.json'), 'utf8'))
    expect($comment).toMatch(/^Written by assay /)
    expect(schema).toEqual(JSON.parse(readFileSync(join(ROOT, 'schema/targets.schema.json'), 'utf8')))
    const checked = await assay(['validate', '--strict'], { cwd })
    expect(checked).toMatchObject({ code: 0, stdout: 'No problems: 2 files checked, 1 suite with 2 tests.\n' })
  })

  it('never overwrites a file', async () => {
    const cwd = folderWith({ 'EVAL.yaml': 'mine\n' })
    const { code, stdout } = await assay(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('kept  EVAL.yaml (already exists)')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toBe('mine\n')
    const again = JSON.parse((await assay(['init', '--json'], { cwd })).stdout)
    expect(again.written).toEqual([])
    expect(again.kept).toHaveLength(5)
  })

  it('creates the folder, and reports a file in its place', async () => {
    const cwd = folderWith({ file: '' })
    expect((await assay(['init', 'new/evals'], { cwd })).code).toBe(0)
    const { code, stderr } = await assay(['init', 'file'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot write file')
  })
})
