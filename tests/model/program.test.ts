import { describe, expect, it } from 'vitest'
import type { ProgramEnd } from '../../src/model/host.ts'
import { describeExit, describeStderr } from '../../src/model/program.ts'

const exitWith = (stderr: string) => ({ code: 1, stdout: '', stderr }) as unknown as ProgramEnd

const PYTHON = `Traceback (most recent call last):
  File "judge.py", line 3, in <module>
    print(x["a"])
KeyError: 'a'
`
const NODE = `file:///tmp/judge.mjs:1
throw Object.assign(new Error('no key'), { code: 'E1' })
      ^

Error: no key
    at file:///tmp/judge.mjs:1:27
    at async node:internal/main {
  code: 'E1'
}

Node.js v20.19.0
`

describe('the message about a failed program', () => {
  it('has the last line of stderr first, then all of it', () => {
    expect(describeExit(exitWith(PYTHON))).toBe(`ended with exit code 1: KeyError: 'a'\nstderr:\n${PYTHON.trimEnd()}`)
  })

  it('finds the error above a Node stack trace', () => {
    expect(describeExit(exitWith(NODE)).split('\n')[0]).toBe('ended with exit code 1: Error: no key')
  })

  it('does not repeat a single line', () => {
    expect(describeExit(exitWith('no such model\n'))).toBe('ended with exit code 1: no such model')
    expect(describeStderr(exitWith('loading'))).toBe('; stderr: loading')
  })

  it('takes the last line if all are indented', () => {
    expect(describeExit(exitWith('  a\n  b\n')).split('\n')[0]).toBe('ended with exit code 1: b')
  })

  it('names an empty stderr', () => {
    expect(describeExit(exitWith(' \n'))).toBe('ended with exit code 1, with empty stderr')
  })

  it('marks where a long line is cut', () => {
    expect(describeExit(exitWith('x'.repeat(5000)))).toBe(`ended with exit code 1: …${'x'.repeat(2000)}`)
  })
})
