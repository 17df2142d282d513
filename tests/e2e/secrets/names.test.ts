import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { latestId, providerModule, recordsOf, runInfoOf, suiteFolder, wordTest } from '../../support/runs.ts'

const SAYS = `return { text: 'I am ' + prompt.test_id + ', key ' + config.api_key + ' and Zq8-hidden-1' }`

/** A folder whose target has an API key and a secret header. */
function folderOf(name: string, key: string, ids: string[]): string {
  const target = { name, provider: './own.mjs', api_key: key, headers: { 'X-Token': 'Zq8-hidden-1' } }
  const tests = ids.map(id => wordTest(id, 'Hi', id, { execution: { target: name } }))
  return suiteFolder({ name: 'words', tests }, JSON.stringify({ targets: [target] }, null, 2), {
    'own.mjs': providerModule(SAYS),
  })
}

describe('a secret that is also a name', () => {
  it('causes a warning, and the run can be resumed, graded and compared', async () => {
    const cwd = folderOf('ollama', 'ollama', ['first', 'second'])
    const first = await assay(['eval'], { cwd })
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(/^\.assay\/targets\.yaml:6:18 warning secret-is-a-name$/m)
    expect(first.stderr).toContain(
      'the value of `api_key` is also the target name `ollama`, so it cannot be redacted\n',
    )
    expect(recordsOf(cwd)).toMatchObject([{ target: 'ollama' }, { target: 'ollama' }])
    expect(runInfoOf(cwd).targets).toMatchObject([{ name: 'ollama' }])
    // Resume repeats one of the two attempts.
    const results = join(cwd, '.assay/runs', latestId(cwd), 'results.jsonl')
    writeFileSync(results, `${readFileSync(results, 'utf8').split('\n')[0]}\n`)
    const resumed = await assay(['eval', '--resume', '--target', 'ollama'], { cwd })
    expect(resumed.stderr).toContain('Resuming: 1 of 2 attempts recorded.')
    const source = latestId(cwd)
    expect((await assay(['grade', source], { cwd })).code).toBe(0)
    const compared = await assay(['compare', source, 'latest', '--json'], { cwd })
    expect(compared.code, compared.stderr).toBe(0)
    expect(JSON.parse(compared.stdout)).toMatchObject({ agreement: { tests: 2, share: 1 } })
  })

  it('does not reveal other secrets', async () => {
    const cwd = folderOf('ollama', 'ollama', ['first'])
    await assay(['eval'], { cwd })
    expect(recordsOf(cwd)[0]?.answer).toBe('I am first, key ollama and [X-Token]')
  })

  it.each([
    ['a test id', 'first-key', ['my-first-key-test'], 'is part of the test id `my-first-key-test`'],
    ['a suite name', 'wordsworth', ['first'], undefined],
    ['a check name', 'contains', ['first'], 'is also the check name `contains`'],
    ['a file path', 'EVAL.yaml', ['first'], 'is part of the file path `'],
    ['a provider path', 'own.mjs', ['first'], 'is part of the provider `./own.mjs`'],
  ])('does not change %s in the records', async (_, key, ids, words) => {
    const cwd = folderOf('default', key, ids)
    const { code, stderr } = await assay(['eval', '-q'], { cwd })
    expect(code, stderr).toBe(0)
    if (words === undefined) expect(stderr).not.toContain('secret-is-a-name')
    else expect(stderr).toContain(`the value of \`api_key\` ${words}`)
    expect(recordsOf(cwd)).toMatchObject(ids.map(id => ({ test_id: id, target: 'default', suite: 'words' })))
    expect(recordsOf(cwd)[0]?.evaluator_results[0]?.type).toBe('contains')
  })

  it('is also reported by `assay targets` and `assay validate`', async () => {
    const cwd = folderOf('ollama', 'ollama', ['first'])
    const targets = await assay(['targets'], { cwd })
    expect(targets.stderr).toContain('warning secret-is-a-name')
    expect(targets.stdout).toContain('ollama')
    expect((await assay(['validate'], { cwd })).stdout).toContain('warning secret-is-a-name')
  })

  it('does not include the folder of a program', async () => {
    const cwd = suiteFolder({ name: 'words', tests: [wordTest('first', 'Hi', 'Hi')] }, '')
    const target = { name: 'default', provider: 'cli', command: ['cat'], env: { WORK: '${{ WORK }}' } }
    writeFileSync(join(cwd, '.assay/targets.yaml'), JSON.stringify({ targets: [target] }))
    const { code, stderr } = await assay(['eval', '-v'], { cwd, env: { WORK: cwd } })
    expect([code, stderr.includes('secret-is-a-name'), stderr.includes('[WORK]')]).toEqual([0, false, false])
    expect(runInfoOf(cwd).root).toBe(cwd)
  })
})

it('keeps run ids, hashes and times if a secret is numeric', async () => {
  const digits = `20${new Date().toISOString().slice(2, 10).replaceAll('-', '')}`
  const cwd = folderOf('default', digits, ['first'])
  expect((await assay(['eval'], { cwd })).code).toBe(0)
  const id = latestId(cwd)
  expect(id.startsWith(digits)).toBe(true)
  expect(runInfoOf(cwd)).toMatchObject({ run_id: id })
  expect(recordsOf(cwd)).toMatchObject([{ run_id: id, answer: 'I am first, key [api_key] and [X-Token]' }])
})
