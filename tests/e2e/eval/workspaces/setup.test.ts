import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evalFolder, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'

const AGENT = `const fs = require('fs')
const prompt = fs.readFileSync(0, 'utf8')
fs.writeFileSync('agent.txt', fs.readdirSync('.').join())
if (prompt.includes('crash')) process.exit(3)
if (prompt.includes('sleep')) setTimeout(() => {}, 60000)
else console.log(prompt.includes('wrong') ? 'no' : 'ok')`

/** A suite whose commands write to a file beside it. */
function folderFor(
  tests: readonly object[],
  { target = {}, keys = {} }: { target?: object; keys?: object } = {},
): string {
  const command = ['node', '-e', AGENT]
  const folder = evalFolder(tests, [], { 'app/a.txt': 'a\n' })
  const targets = [
    { name: 'default', provider: 'cli', command, workspace: 'app', env: { OUT: join(folder, 'out') }, ...target },
  ]
  return folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }), 'EVAL.yaml': suiteWith(tests, keys) }, folder)
}

const say = (folder: string) =>
  existsSync(join(folder, 'out')) ? readFileSync(join(folder, 'out'), 'utf8').trim().split('\n') : []

/** A command that notes a word, and whether the agent has been there. */
const note = (word: string) => `echo ${word} $(ls agent.txt 2>/dev/null) >> "$OUT"`

function evaluateIn(folder: string, args: readonly string[] = []) {
  return evaluate(folder, args, { OUT: join(folder, 'out') })
}

describe('setup and teardown', () => {
  it('run around the agent in its copy: the target’s first and last, the test’s in place of the suite’s', async () => {
    const tests = [
      { id: 'suite', input: 'x' },
      {
        id: 'test',
        input: 'x',
        execution: { setup: { run: [note('test-1'), note('test-2')] }, teardown: note('test-end') },
      },
    ]
    const target = { setup: note('target'), teardown: [note('target-end')], workers: 1 }
    const folder = folderFor(tests, {
      target,
      keys: { execution: { setup: [note('suite')], teardown: note('suite-end') } },
    })
    const { code } = await evaluateIn(folder)
    expect(code).toBe(0)
    expect(say(folder)).toEqual([
      ...['target', 'suite', 'suite-end agent.txt', 'target-end agent.txt'],
      ...['target', 'test-1', 'test-2', 'test-end agent.txt', 'target-end agent.txt'],
    ])
  })

  it('are not the work of the agent, but what the agent changes of it is', async () => {
    const setup = 'echo made > made.txt; echo made > kept.txt; echo b > a.txt; mkdir d; ln -s a.txt d/l'
    const target = { command: 'echo more >> made.txt; rm kept.txt; echo c >> a.txt; echo ok' }
    const { results } = await evaluateIn(folderFor([{ id: 'a', input: 'x' }], { target: { ...target, setup } }))
    expect(results.get('a')?.changes).toMatchObject([
      { path: 'a.txt', state: 'modified', diff: '@@ -1 +1,2 @@\n b\n+c\n' },
      { path: 'kept.txt', state: 'deleted', diff: '@@ -1 +0,0 @@\n-made\n' },
      { path: 'made.txt', state: 'modified', diff: '@@ -1 +1,2 @@\n made\n+more\n' },
    ])
  })

  it('are an error of the attempt if setup fails, with its output; the agent is not asked', async () => {
    const tests = [
      {
        id: 'code',
        input: 'x',
        execution: { setup: ['echo one', 'echo nothing here; echo no such package >&2; exit 7', note('never')] },
      },
      { id: 'late', input: 'x', execution: { setup: { run: 'echo waiting; sleep 60', timeout_seconds: 3 } } },
      { id: 'missing', input: 'x', execution: { setup: 'no-such-program-at-all' } },
    ]
    const folder = folderFor(tests, { target: { teardown: note('end') } })
    const { code, results } = await evaluateIn(folder)
    expect(code).toBe(3)
    const errors = Object.fromEntries([...results].map(([id, { error }]) => [id, error]))
    expect(errors['code']).toMatchObject({ code: 'setup-failed', stage: 'answer', never_reached: true })
    expect(errors['code']?.message).toMatch(
      /^setup: `echo nothing here.*` ended with exit code 7; stderr: no such package; stdout: nothing here$/,
    )
    expect(errors['late']?.message).toBe(
      'setup: `echo waiting; sleep 60` did not end within 3 s; stdout: waiting; set `timeout_seconds` to allow more time',
    )
    expect(errors['missing']?.message).toContain('no-such-program-at-all: ')
    expect(say(folder)).toEqual(['end', 'end', 'end'])
  })

  it('run teardown after every outcome, and its failure is a warning with its output', async () => {
    const tests = [
      { id: 'pass', input: 'x' },
      { id: 'fail', input: 'wrong' },
      { id: 'error', input: 'crash' },
      { id: 'timeout', input: 'sleep', execution: { timeout_seconds: 1 } },
    ]
    const teardown = [`${note('end')}; echo cannot stop >&2; exit 4`]
    const folder = folderFor(tests, { target: { teardown, retries: 0 } })
    const { results, stderr } = await evaluateIn(folder)
    expect(Object.fromEntries([...results].map(([id, { verdict }]) => [id, verdict]))).toEqual({
      pass: 'pass',
      fail: 'fail',
      error: 'error',
      timeout: 'error',
    })
    expect(say(folder)).toEqual(Array(4).fill('end agent.txt'))
    expect(stderr).toContain('teardown: ')
    expect(stderr).toContain('ended with exit code 4; stderr: cannot stop')
  })

  it('run after the checks, which may need what setup started', async () => {
    const judge = { type: 'code_judge', command: ['sh', '-c', `test -e running && echo '{"score": 1}'`] }
    const tests = [
      { id: 'a', input: 'x', assert: [judge], execution: { setup: 'touch running', teardown: 'rm running' } },
    ]
    const { results } = await evaluateIn(folderFor(tests))
    expect(results.get('a')?.verdict).toBe('pass')
  })

  it('do not wait for processes that setup leaves behind', async () => {
    const setup = [
      'sleep 300 & echo started',
      'setsid sleep 30 > /dev/null 2>&1 & echo $! > pid',
      '(sleep 300 &) ; echo forked',
    ]
    const teardown = 'kill $(cat pid) && echo stopped >> "$OUT"'
    const folder = folderFor([{ id: 'a', input: 'x' }], { target: { setup, teardown } })
    const { results } = await evaluateIn(folder)
    expect(results.get('a')?.verdict).toBe('pass')
  })
})

describe('a changed setup', () => {
  it('makes another test: saved results are not current, and recorded answers do not belong to it', async () => {
    const tests = [{ id: 'a', input: 'x', execution: { setup: 'touch one' } }]
    const folder = folderFor(tests)
    await evaluateIn(folder)
    const again = await assay(['grade', 'latest'], { cwd: folder })
    expect(again.code).toBe(0)
    await assay(['baseline', 'save', 'latest'], { cwd: folder })
    const current = await assay(['status'], { cwd: folder })
    folderWith({ 'EVAL.yaml': suiteWith([{ ...tests[0], execution: { setup: ['touch two'] } }]) }, folder)
    const changed = await assay(['status', '--why'], { cwd: folder })
    expect(changed.stdout).not.toBe(current.stdout)
    expect(changed.stdout).toContain('the input or the setup changed')
    const graded = await assay(['grade', 'latest'], { cwd: folder })
    expect(graded.code).not.toBe(0)
    expect(graded.stderr).toContain('No answer of the run belongs to a test as it is written now')
  })

  it('keeps the test if only its form or time limit differs', async () => {
    const folder = folderFor([{ id: 'a', input: 'x', execution: { setup: 'touch one' } }])
    await evaluateIn(folder)
    const setup = { run: ['touch one'], timeout_seconds: 9 }
    folderWith({ 'EVAL.yaml': suiteWith([{ id: 'a', input: 'x', execution: { setup } }]) }, folder)
    expect((await assay(['grade', 'latest'], { cwd: folder })).code).toBe(0)
  })
})
