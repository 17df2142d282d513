import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith, type Result } from '../../../support/program.ts'
import { wordTest } from '../../../support/runs.ts'

const TARGETS = {
  targets: [
    { name: 'with', provider: 'mock', response: 'hello' },
    { name: 'without', provider: 'mock', response: 'bye' },
    { name: 'silent', provider: 'mock', responses: [{ pattern: 'nothing matches this', response: 'x' }] },
  ],
}

const TESTS = [wordTest('one', 'Hi', 'hello'), wordTest('two', 'Hi', 'hello')]

function project(execution: object, tests: readonly object[] = TESTS): string {
  return folderWith({
    '.assay/targets.yaml': JSON.stringify(TARGETS),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution, tests }),
  })
}

const arms = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })

describe('a control arm', () => {
  it('does not fail the run with its failures or errors', async () => {
    const failed = await arms(project({ targets: ['with', 'without'], control: 'without' }))
    expect(failed.code).toBe(0)
    expect(failed.stderr).toContain('2 tests × 2 targets: 2 passed; control arm: 2 failed')
    expect(failed.stderr).toContain('quality gate passed: no test failed, without the control arm without')
    const errored = await arms(project({ targets: ['with', 'silent'], control: 'silent' }))
    expect(errored.code).toBe(0)
    expect(errored.stderr).toContain('control arm: 2 with errors')
    expect(errored.stderr).toContain('error one on silent (control)')
  })

  it('does not save the run with its passes', async () => {
    const { code, stderr } = await arms(project({ targets: ['with', 'without'], control: 'with' }))
    expect(code).toBe(1)
    expect(stderr).toContain('quality gate failed: 2 of 2 tests failed, without the control arm with')
  })

  it('has no part in the required pass rate', async () => {
    const cwd = project({ targets: ['with', 'without'], control: 'without' })
    const { code, stderr } = await arms(cwd, '--min-pass-rate', '1')
    expect(code).toBe(0)
    expect(stderr).toContain('quality gate passed: pass rate 100 %, 100 % required, without the control arm without')
  })

  it('makes the run incomplete if its attempts are missing', async () => {
    const cwd = project({ targets: ['with', 'without'], control: 'without' })
    await arms(cwd)
    const runs = await assay(['report', 'latest', '--format', 'json'], { cwd })
    const { run_id } = JSON.parse(runs.stdout).run
    const file = join(cwd, '.assay/runs', run_id, 'results.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    expect((await assay(['merge', run_id], { cwd })).code).toBe(0)
    writeFileSync(
      file,
      lines
        .filter(line => !line.includes('"control":true'))
        .map(line => `${line}\n`)
        .join(''),
    )
    const { stdout, code } = await assay(['merge', run_id], { cwd })
    expect([code, stdout]).toEqual([3, expect.anything()])
  })

  it('does not stop the run with --fail-fast', async () => {
    const failing = project({ targets: ['without', 'with'], control: 'without' })
    const control = await arms(failing, '--fail-fast', '--workers', '1')
    expect([control.code, control.stderr]).toEqual([0, expect.stringContaining('2 passed; control arm: 2 failed')])
    const other = await arms(
      project({ targets: ['without', 'with'], control: 'with' }),
      '--fail-fast',
      '--workers',
      '1',
    )
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('stopped by --fail-fast')])
  })
})

describe('reports of a run with a control arm', () => {
  let cwd = ''
  beforeAll(async () => {
    const tests = [...TESTS, wordTest('rude', 'Hi', 'bye')]
    cwd = project({ targets: ['without', 'with'], control: 'without' }, tests)
    await arms(cwd)
  })

  const report = async (format: string): Promise<string> => {
    const { stdout }: Result = await assay(['report', 'latest', '--format', format], { cwd })
    return stdout
  }

  it('mark it in the summary and list failures of the other arms only', async () => {
    const text = await report('text')
    expect(text).toMatch(/arms +without \(control\) +3/)
    expect(text).toContain('fail rude on with')
    expect(text).not.toContain('fail one on without')
  })

  it('mark it in Markdown', async () => {
    const text = await report('markdown')
    expect(text).toContain('- without &#40;control&#41;: 1 of 3 tests passed')
    expect(text).toContain('| arms | without &#40;control&#41; | 3 |')
    expect(text).toContain('- **fail** rude on with ')
    expect(text).not.toContain('- **fail** one')
  })

  it('have no failure of it in JUnit', async () => {
    const xml = await report('junit')
    expect(xml).toMatch(/<testsuites [^>]*tests="6"[^>]* skipped="2"/)
    expect(xml.match(/<failure /g)).toHaveLength(1)
    expect(xml).toContain('<testsuite name="arms/without (control)"')
    expect(xml).toContain('<skipped message="fail of the control arm, which does not count: does not contain')
  })

  it('have no annotation of its failures on GitHub', async () => {
    const text = await report('github')
    expect(text.match(/^::error.*/gm)).toEqual([expect.stringContaining('title=fail%3A rude on with')])
  })

  it('mark it in JSON, CSV and HTML', async () => {
    const { summary, results } = JSON.parse(await report('json'))
    expect(
      summary.targets.map((each: { target: string; is_control?: true }) => [each.target, each.is_control]),
    ).toEqual([
      ['without', true],
      ['with', undefined],
    ])
    expect(results.filter((each: { control?: true }) => each.control)).toHaveLength(3)
    const [head = '', ...rows] = (await report('csv')).split('\r\n').filter(Boolean)
    const column = head.split(',').indexOf('control')
    expect(rows.map(row => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[column])).toEqual([
      'yes',
      '',
      'yes',
      '',
      'yes',
      '',
    ])
    expect(await report('html')).toContain('"name":"without","is_control":true')
  })

  it('mark it in explanations', async () => {
    const { stdout } = await assay(['explain', 'latest', 'one'], { cwd })
    expect(stdout).toContain('one on without (control), trial 1: fail')
  })
})
