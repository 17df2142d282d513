import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { gradeTest, gradingContext, loadTest, loadTestWithDiagnostics } from '../support/checks.ts'
import { folderWith } from '../support/program.ts'
import { gradeWork, worked } from '../support/worked-folder.ts'

const WORK = { before: { 'sub/in.txt': 'in\n', 'data.txt': 'data\n' }, after: { 'out.txt': 'made\n' } }

/** The fields of a check, the score or the code of the error, and the misses. */
type Case = [fields: string, score: number | string, misses: (string | RegExp)[]]

const CASES: Case[] = [
  // A text is a shell line, a list a program with its arguments. It runs in the workspace.
  ['run: "cat data.txt out.txt | wc -l | tr -d \' \'", stdout: {equals: "2"}', 1, []],
  ['run: [cat, data.txt], stdout: {equals: data}', 1, []],
  ['run: [echo, "a | b", $HOME], stdout: {equals: "a | b $HOME"}', 1, []],
  ['run: cat in.txt, cwd: sub, stdout: {equals: in}', 1, []],
  ['run: cat in.txt, cwd: ./sub/', 1, []],
  ['run: cat data.txt, cwd: .', 1, []],
  // The exit code.
  ['run: exit 0', 1, []],
  ['run: exit 3', 0, ['exit code 3, expected exit code 0, with no output']],
  ['run: exit 3, exit_code: 3', 1, []],
  ['run: exit 0, exit_code: 1', 0, ['exit code 0, expected exit code 1, with no output']],
  ['run: "echo out; echo err >&2; exit 1"', 0, ['exit code 1, expected exit code 0; stderr: err; stdout: out']],
  ['run: kill -9 $$', 0, ['ended by SIGKILL, expected exit code 0, with no output']],
  // Each condition on the output is asked for.
  ['run: echo one two, stdout: {contains: one}', 1, []],
  ['run: echo one two, stdout: {contains: One}', 0.5, ['stdout does not contain "One"']],
  ['run: echo one two, stdout: {regex: "^ONE"}', 0.5, ['stdout does not match /^ONE/']],
  ['run: echo one two, stdout: {regex: "^ONE", flags: i}', 1, []],
  ['run: echo one two, stdout: {equals: one two}', 1, []],
  ['run: echo one two, stdout: {equals: "one two\\n"}', 1, []],
  ['run: echo one two, stdout: {equals: one}', 0.5, [/^stdout is "one two↵", expected "one"/]],
  ['run: echo one >&2, stderr: {equals: one}, stdout: {equals: ""}', 1, []],
  [
    'run: echo one, stdout: {contains: one, regex: two, equals: three}, stderr: {equals: x}',
    0.4,
    [/two/, /three/, /^stderr is empty, expected "x"/],
  ],
  ['run: "echo one; exit 1", stdout: {contains: one}', 0.5, [/^exit code 1/]],
  // What is a fault of the agent, and what is not.
  ['run: sleep 20, timeout_seconds: 0.3', 0, ['took longer than 0.3 s and was ended']],
  ['run: "echo begun; sleep 20", timeout_seconds: 3', 0, ['took longer than 3 s and was ended; stdout: begun']],
  ['run: ls, cwd: none', 0, ['the workspace has no folder `none`']],
  ['run: ls, cwd: data.txt', 0, ['the workspace has no folder `data.txt`']],
  ['run: [./build.sh]', 0, ['`./build.sh` could not be started: program not found']],
  ['run: [./data.txt]', 0, ['`./data.txt` could not be started: permission denied']],
  ['run: ./build.sh', 0, [/^exit code 127, expected exit code 0; stderr: .*not found/]],
  ['run: [no-such-program-here]', 'program-missing', []],
  ['run: no-such-program-here --all', 'program-missing', []],
  ['run: no-such-program-here, exit_code: 127', 1, []],
  ['run: "true; no-such-program-here"', 0, [/^exit code 127/]],
  ['run: yes, timeout_seconds: 20', 'output-too-large', []],
  ['run: "head -c 100000 /dev/zero | tr \'\\\\0\' x >&2", stderr: {contains: x}', 'output-too-large', []],
  ['run: "head -c 100000 /dev/zero | tr \'\\\\0\' x >&2"', 1, []],
  ['run: exit 1, negate: true', 1, []],
]

describe('a command', () => {
  it.each(CASES)('%s', async (fields, expected, misses) => {
    const work = await worked(WORK)
    const [result] = await gradeWork([`{type: command, ${fields}}`], work)
    expect(result?.score ?? result?.error?.code).toBe(expected)
    expect(fields.includes('negate') ? [] : result?.misses).toEqual(
      misses.map(miss => (typeof miss === 'string' ? miss : expect.stringMatching(miss))),
    )
  })

  it('records the end of its output', async () => {
    const work = await worked(WORK)
    const [result] = await gradeWork(['{type: command, run: "seq 2000; echo bad >&2; exit 2"}'], work)
    const { stdout, ...details } = (result?.details ?? {}) as { stdout: string }
    expect(details).toEqual({ exit_code: 2, stderr: 'bad\n' })
    expect(stdout).toHaveLength(4001)
    expect(stdout.endsWith('1999\n2000\n')).toBe(true)
    expect(result?.misses[0]).toMatch(
      /^exit code 2, expected exit code 0; stderr: bad; stdout: 2000\nstdout:\n….*2000$/s,
    )
  })

  it('needs the workspace, and the changes of the agent', async () => {
    const { workspace, answer } = await worked(WORK)
    const checks = ['{type: command, run: ls}']
    const codes = await Promise.all(
      [{ answer }, { answer: { text: 'x' }, workspace }].map(
        async work => (await gradeWork(checks, work))[0]?.error?.code,
      ),
    )
    expect(codes).toEqual(['workspace-gone', 'no-workspace'])
    rmSync(workspace, { recursive: true })
    expect((await gradeWork(checks, { answer, workspace }))[0]?.error?.code).toBe('workspace-gone')
  })

  it('does not run where a link leads out of the workspace', async () => {
    const outside = folderWith()
    const work = await worked({ more: workspace => symlinkSync(outside, join(workspace, 'sub')) })
    const [result] = await gradeWork(['{type: command, run: touch made, cwd: sub}'], work)
    expect([result?.score, result?.misses]).toEqual([0, ['the folder `sub` leads out of the workspace']])
    expect(existsSync(join(outside, 'made'))).toBe(false)
  })

  it('runs without the variables of git', async () => {
    const { workspace, answer } = await worked(WORK)
    const host = nodeHost(undefined, { ...process.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/x' })
    const test = await loadTest(['{type: command, run: "echo [$GIT_DIR$GIT_INDEX_FILE]", stdout: {equals: "[]"}}'])
    const [result] = await gradeTest(test, answer, gradingContext({ host }), undefined, workspace)
    expect(result?.score).toBe(1)
  })

  it('ends the processes that it started', async () => {
    const work = await worked(WORK)
    const line = '(sleep 0.6; touch late) & echo begun'
    const [result] = await gradeWork([`{type: command, run: "${line}"}`], work)
    await new Promise(resolve => setTimeout(resolve, 1200))
    expect([result?.score, existsSync(join(work.workspace, 'late'))]).toEqual([1, false])
  })

  it.each([
    ['run: []', 'out-of-range'],
    ['run: ""', 'out-of-range'],
    ['run: ls, cwd: ../x', 'bad-path'],
    ['run: ls, cwd: /tmp', 'bad-path'],
    ['run: ls, cwd: ..', 'bad-path'],
    ['run: ls, exit_code: 256', 'out-of-range'],
    ['run: ls, stdout: {}', 'missing-key'],
    ['run: ls, stdout: {regex: "("}', 'bad-regex'],
    ['run: ls, stderr: {contains: x, flags: i}', 'unread-setting'],
    ['run: ls, stderr: {equals: 42}', 'wrong-type'],
    ['run: ls, timeout_seconds: 0', 'out-of-range'],
  ])('reports `%s` before the run', async (fields, code) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: command, ${fields}}`])
    expect(diagnostics.map(each => each.code)).toEqual([code])
  })
})

describe('commands among other checks', () => {
  const APPEND = (name: string, file = name) =>
    `{type: command, name: ${name}, run: "test ! -e lock && touch lock && sleep 0.1 && echo ${file} >> order && rm lock"}`

  it('run after all other checks, one at a time, in the order of the suite', async () => {
    const work = await worked({ before: { 'a.txt': 'a\n' } })
    const results = await gradeWork(
      [
        APPEND('first'),
        `{type: composite, evaluators: [${APPEND('second')}, {type: file, name: x, path: order, state: absent}]}`,
        APPEND('third'),
        `{type: composite, name: outer, evaluators: [{type: composite, name: inner, evaluators: [${APPEND('fourth')}]}]}`,
        '{type: file, name: unchanged, path: "**", count: 1}',
        '{type: command, name: last, run: cat order, stdout: {equals: "first\\nsecond\\nthird\\nfourth"}}',
      ],
      work,
    )
    expect(results.map(({ name, score, error, misses }) => [name, score, error, misses])).toEqual(
      results.map(({ name }) => [name, 1, undefined, []]),
    )
  })

  it('run before the checks that wait for them in a composite', async () => {
    const work = await worked({ before: { 'a.txt': 'a\n' } })
    const gate = (name: string, run: string) =>
      `{type: composite, name: ${name}, aggregator: {type: safety_gate, required: [g]}, evaluators: [{type: command, name: g, run: ${run}}, {type: file, name: f, path: made}]}`
    const results = await gradeWork([gate('open', 'touch made'), gate('closed', '"false"')], work)
    expect(results.map(({ score }) => score)).toEqual([1, 0])
    expect(results[1]?.evaluator_results?.map(({ not_run }) => not_run)).toEqual([undefined, true])
  })

  it('do not start after an interruption', async () => {
    const { workspace, answer } = await worked(WORK)
    const abort = new AbortController()
    const test = await loadTest(['{type: command, run: touch made}', '{type: command, name: b, run: touch made}'])
    const graded = gradeTest(test, answer, gradingContext({ abort }), undefined, workspace)
    abort.abort(new Error('stopped'))
    await expect(graded).rejects.toThrow('stopped')
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(existsSync(join(workspace, 'made'))).toBe(false)
  })

  it('can write what they like without changing other grades', async () => {
    const work = await worked({ before: { 'a.txt': 'a\n' }, after: { 'b.txt': 'b\n' } })
    mkdirSync(join(work.workspace, 'empty'))
    writeFileSync(join(work.workspace, 'empty/.keep'), '')
    const results = await gradeWork(
      [
        '{type: command, run: "rm -rf *; echo x > b.txt"}',
        '{type: file, name: a, path: a.txt, contains: a}',
        '{type: file, name: b, path: b.txt, equals: b}',
      ],
      work,
    )
    expect(results.map(({ score }) => score)).toEqual([1, 1, 1])
  })
})
