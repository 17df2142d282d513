import { describe, expect, it } from 'vitest'
import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import { gradeTest, loadTest } from '../support/checks.ts'

/** A bash array, which `sh` does not support. */
const BASH = 'hits=(a b); echo "{\\"score\\": 1, \\"hits\\": [\\"${hits[1]}\\", \\"$1\\"]}"\n'
const BY_SH = '[ -z "$BASH_VERSION" ] && echo \'{"score": 1, "hits": ["sh"]}\'\n'
const BY_PYTHON = 'import sys\nprint(\'{"score": 1, "hits": ["python", "%s"]}\' % sys.argv[-1][-8:])\n'

/** The results of a file without execute permission, as a judge file and as the program of a `code_judge`. */
async function judgedBy(text: string): Promise<(EvaluatorResult | undefined)[]> {
  const files = { '.assay/judges/mine.sh': text, 'my judges/mine.sh': text }
  const checks = ['{type: mine}', '{type: code_judge, script: [./my judges/mine.sh]}']
  return gradeTest(await loadTest(checks, files), { text: 'ok' })
}

describe('the first line of a judge in a .sh file', () => {
  it.each([
    ['a path', '#!/bin/bash\n', BASH, 'b'],
    ['a path with an argument', '#! /bin/bash -e\n', BASH, 'b'],
    ['a program on PATH', '#!/usr/bin/env bash\n', BASH, 'b'],
    ['a program on PATH with arguments', '#!/usr/bin/env -S bash -e -u\n', BASH.replace('$1', ''), 'b'],
    ['a line with a carriage return', '#!/usr/bin/env python3\r\n', BY_PYTHON, 'python'],
    ['another language', '#!/usr/bin/env python3\n', BY_PYTHON, 'python'],
    ['sh', '#!/bin/sh\n', BY_SH, 'sh'],
    ['no interpreter', '', BY_SH, 'sh'],
    ['an empty interpreter', '#!\n', BY_SH, 'sh'],
    ['a comment', '# !/bin/bash\n', BY_SH, 'sh'],
  ])('selects the interpreter: %s', async (_, first, rest, hit) => {
    for (const result of await judgedBy(first + rest)) {
      expect(result?.error).toBeUndefined()
      expect(result).toMatchObject({ score: 1 })
      expect(result?.hits[0]).toBe(hit)
    }
  })

  it('names an interpreter that is not installed', async () => {
    for (const result of await judgedBy('#!/no/such/shell\n')) {
      expect(result?.error?.code).toBe('judge-missing')
      expect(result?.error?.message).toContain('/no/such/shell')
    }
  })

  it('is ignored in an empty or binary file', async () => {
    for (const text of ['', '#!/bin/bash'.padEnd(100_000, 'x'), '\0\0']) {
      for (const result of await judgedBy(text)) expect(result?.score).toBeNull()
    }
  })

  it('passes the arguments of a list to the script', async () => {
    const files = { 'mine.sh': `#!/bin/bash\n${BASH}` }
    const test = await loadTest(['{type: code_judge, script: [./mine.sh, "a b"]}'], files)
    expect(await gradeTest(test, { text: 'ok' })).toMatchObject([{ hits: ['b', 'a b'] }])
  })

  it('selects the interpreter for a path from `cwd`', async () => {
    const files = { 'bin/mine.sh': `#!/bin/bash\n${BASH}` }
    const list = [
      '{type: code_judge, script: [bin/mine.sh, x], cwd: .}',
      '{type: code_judge, script: [mine.sh, x], cwd: bin}',
    ]
    expect(await gradeTest(await loadTest(list, files), { text: 'ok' })).toMatchObject([
      { hits: ['b', 'x'] },
      { hits: ['b', 'x'] },
    ])
  })

  it('is ignored if the check names the shell', async () => {
    const files = { 'mine.sh': `#!/bin/bash\n${BY_SH}` }
    const test = await loadTest(['{type: code_judge, script: [sh, ./mine.sh]}'], files)
    expect(await gradeTest(test, { text: 'ok' })).toMatchObject([{ hits: ['sh'] }])
  })
})

const PYTHON_CODE = 'import sys\nprint(\'{"score": 1, "hits": ["%s"]}\' % " ".join(sys.argv[1:]))\n'
const NODE_CODE = 'console.log(JSON.stringify({ score: 1, hits: [process.argv.slice(2).join(" ")] }))\n'
const SHELL_CODE = 'echo "{\\"score\\": 1, \\"hits\\": [\\"$*\\"]}"\n'

describe('a judge file as the command', () => {
  it.each([
    ['j.py', PYTHON_CODE],
    ['j.py', `#!/usr/bin/env python3\n${PYTHON_CODE}`],
    ['j.mjs', NODE_CODE],
    ['j.js', NODE_CODE],
    ['j.cjs', NODE_CODE],
    ['b2.sh', SHELL_CODE],
    ['b2.sh', `#!/bin/bash\n${SHELL_CODE}`],
    ['judges/j.py', PYTHON_CODE],
    ['judges/check', `#!/bin/sh\n${SHELL_CODE}`],
    ['größe.py', PYTHON_CODE],
  ])('runs even if it is not executable: %s', async (name, text) => {
    const forms = [[name, 'a.b', 'c'], [`./${name}`, 'a.b', 'c'], `./${name} a.b  c`]
    const checks = forms.map(form => `{type: code_judge, command: ${JSON.stringify(form)}}`)
    const results = await gradeTest(await loadTest(checks, { [name]: text }), { text: 'ok' })
    for (const result of results) {
      expect(result.error).toBeUndefined()
      expect(result.hits).toEqual(['a.b c'])
    }
  })

  it('reports where it was searched and how to start it if it cannot be started', async () => {
    const checks = [['mine.py'], ['./notes.txt'], "cat | './my notes.txt'", ['no-such-judge']].map(
      command => `{type: code_judge, command: ${JSON.stringify(command)}}`,
    )
    const files = { 'notes.txt': '', 'my notes.txt': '' }
    const results = await gradeTest(await loadTest(checks, files), { text: 'ok' })
    const [absent, list, line, program] = results.map(({ error }) => error?.message ?? '')
    expect(absent).toBe('the judge `mine.py` could not be started: program not found on PATH or next to the suite')
    const hint = '; make the file executable, or write its interpreter before it (`python3 ./judge.py`)'
    // The path is as long as that of the folder for temporary files, and may be cut.
    expect(list).toMatch(/^the judge `\S+` could not be started: permission denied; /)
    expect([list?.endsWith(hint), line?.endsWith(hint)]).toEqual([true, true])
    expect(program).toBe('the judge `no-such-judge` could not be started: program not found')
  })
})
