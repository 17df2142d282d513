import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEMPLATES } from '../../../src/operations/init-templates.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

describe.each(TEMPLATES)('assay init --template %s', template => {
  it('writes a suite that is valid and passes at once', async () => {
    const cwd = folderWith({})
    const written = await assay(['init', '--template', template], { cwd })
    expect(written.code, written.stderr).toBe(0)
    const validated = await assay(['validate', '--strict'], { cwd })
    expect(validated.code, validated.stdout).toBe(0)
    const { code, stderr } = await assay(['eval'], { cwd, env: { OPENAI_API_KEY: undefined } })
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/2 tests: 2 passed/)
  })

  it('keeps files that exist', async () => {
    const cwd = folderWith({ 'EVAL.yaml': 'mine' })
    const { stdout } = await assay(['init', '--template', template], { cwd })
    expect(stdout).toContain('kept  EVAL.yaml (already exists)')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toBe('mine')
  })

  it('says how to go live, with a target that is valid', async () => {
    const cwd = folderWith({})
    await assay(['init', '--template', template], { cwd })
    const suite = readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')
    writeFileSync(join(cwd, 'EVAL.yaml'), suite.replace('target: stand-in', 'target: live'))
    const { stdout } = await assay(['validate', '--targets'], { cwd, env: { OPENAI_API_KEY: 'x'.repeat(20) } })
    // The agent itself may be missing on this machine.
    expect(stdout).not.toMatch(/error (?!not-available)/)
  })
})

it('lists the templates if one is unknown', async () => {
  const { code, stderr } = await assay(['init', '--template', 'pyton'], { cwd: folderWith({}) })
  expect(code).toBe(2)
  expect(stderr).toContain('python, http, model, skill, plugin')
})
