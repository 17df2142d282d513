import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, run } from '../../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const INPUT = { answer: 'Größe 👍', config: { most: 2 } }

/** A folder with `assay` installed. */
function project(files: Record<string, string>): string {
  const cwd = folderWith({ 'package.json': '{"type": "module"}', ...files })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(ROOT, join(cwd, 'node_modules/assay'))
  return cwd
}

function judgeOf(body: string): string {
  return `import { defineCodeJudge } from 'assay/judge'\n${body}\n`
}

describe('defineCodeJudge', () => {
  const judged = (body: string, stdin = JSON.stringify(INPUT)) =>
    run(process.execPath, ['judge.js'], { cwd: project({ 'judge.js': judgeOf(body) }), input: stdin })

  it('passes the input to the judge, and prints its grade', async () => {
    const body = 'defineCodeJudge(input => ({ score: 1, details: { ...input } }))'
    const { code, stdout, stderr } = await judged(body)
    expect({ code, stderr, output: JSON.parse(stdout) }).toEqual({
      code: 0,
      stderr: '',
      output: { score: 1, details: INPUT },
    })
  })

  it('waits for an async judge', async () => {
    const { stdout } = await judged(
      'defineCodeJudge(async ({ answer }) => { await new Promise(done => setTimeout(done, 50)); return { score: 0.5, hits: [answer] } })',
    )
    expect(JSON.parse(stdout)).toEqual({ score: 0.5, hits: ['Größe 👍'] })
  })

  it.each([
    ['that throws', "defineCodeJudge(() => { throw new Error('no idea') })", 'no idea'],
    ['that rejects', "defineCodeJudge(async () => Promise.reject(new Error('no luck')))", 'no luck'],
  ])('exits with an error for a judge %s', async (_, body, words) => {
    const { code, stdout, stderr } = await judged(body)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(words)
  })

  it('exits with an error if the input is not JSON', async () => {
    const { code, stdout } = await judged('defineCodeJudge(() => ({ score: 1 }))', 'Hello')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  it('has no imports', () => {
    expect(readFileSync(join(ROOT, 'dist/judge.js'), 'utf8')).not.toMatch(/\bimport\b/)
  })

  it('has types', async () => {
    const cwd = project({
      'judge.ts': judgeOf(
        "defineCodeJudge(({ answer, trace_summary }) => ({ score: answer === '' ? 0 : 1, details: trace_summary?.tool_names }))",
      ),
      'wrong.ts': judgeOf("defineCodeJudge(({ anwser }) => ({ score: 'high' }))"),
    })
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--allowImportingTsExtensions']
    const { stdout } = await run(process.execPath, [tsc, ...options, 'judge.ts', 'wrong.ts'], { cwd })
    expect(stdout.split('\n').filter(line => line.startsWith('judge.ts'))).toEqual([])
    expect(stdout).toContain("Property 'anwser' does not exist")
    expect(stdout).toContain("Type 'string' is not assignable to type 'number")
  })
})

describe('the Python module for judges', () => {
  const judged = (body: string) => {
    const cwd = folderWith({ 'mine.py': `from assay_judge import judge\n\n\n${body}\n` })
    cpSync(join(ROOT, 'examples/code-judges/judges/assay_judge.py'), join(cwd, 'assay_judge.py'))
    return run('python3', ['mine.py'], { cwd, input: JSON.stringify(INPUT), env: { LC_ALL: 'C', PYTHONUTF8: '0' } })
  }

  it('passes the input to the judge, and prints only its grade', async () => {
    const { code, stdout, stderr } = await judged(
      '@judge\ndef mine(data):\n    print("looking")\n    return {"score": 1, "details": data}',
    )
    expect({ code, stderr, output: JSON.parse(stdout) }).toEqual({
      code: 0,
      stderr: 'looking\n',
      output: { score: 1, details: INPUT },
    })
  })

  it('exits with an error if the judge raises one', async () => {
    const { code, stdout, stderr } = await judged('@judge\ndef mine(data):\n    return data["anwser"]')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain("KeyError: 'anwser'")
  })
})
