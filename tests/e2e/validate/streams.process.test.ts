import { describe, expect, it } from 'vitest'
import { assay, folderWith, PROGRAM, run } from '../../support/program.ts'

const GOOD = 'name: good\ntests:\n  - {id: a, criteria: Is kind, input: Hi}\n'
const BAD = 'name: bad\ntests:\n  - id: a\n    criteria: Is kind\n    inptu: Hi\n'
describe('validate -', () => {
  it('reads stdin and reports it as <stdin>', async () => {
    const good = await assay(['validate', '-'], { cwd: folderWith(), input: GOOD })
    expect(good.stdout).toBe('No problems: 1 file checked, 1 suite with 1 test.\n')
    const bad = await assay(['validate', '-'], { cwd: folderWith(), input: BAD })
    expect(bad.code).toBe(2)
    expect(bad.stdout).toContain('<stdin>:5:5 error unknown-key')
  })
})

describe('validate output', () => {
  const cwd = folderWith({ 'sub, dir/EVAL.yaml': BAD })
  it('is coloured only on request', async () => {
    expect((await assay(['validate'], { cwd })).stdout).not.toContain('\u001b')
    expect((await assay(['validate'], { cwd, env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[31m')
    expect((await assay(['validate'], { cwd, env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b',
    )
  })
})
it('exits quietly if the reader closes the pipe', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => `  - {id: t${index}, input: Hi, asert: []}\n`).join('')
  const cwd = folderWith({ 'EVAL.yaml': `name: many\ntests:\n${many}` })
  const { stdout, stderr } = await run('sh', ['-c', `"${process.execPath}" "${PROGRAM}" validate | head -n 1`], { cwd })
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stderr).toBe('')
})
