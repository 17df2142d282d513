import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runProgram } from '../../../src/host/processes/run-program.ts'

function run(command: string, stdin = '') {
  return runProgram({ command, cwd: tmpdir(), stdin, maxOutputBytes: 1e7, signal: new AbortController().signal })
}

describe('the stderr of a program', () => {
  it('has a mark if its beginning was cut off, between characters', async () => {
    const { stderr } = await run('printf ü >&2; head -c 65535 /dev/zero | tr "\\0" x >&2')
    expect(stderr).toBe(`…${'x'.repeat(65_535)}`)
  })

  it('has no mark if it is complete', async () => {
    expect((await run('head -c 65536 /dev/zero | tr "\\0" x >&2')).stderr).toBe('x'.repeat(65_536))
  })
})

describe('the input of a program', () => {
  it('can be opened as /dev/stdin, and read from descriptor 0', async () => {
    expect(await run('cat /dev/stdin', 'hello\n')).toMatchObject({ code: 0, stdout: 'hello\n' })
    expect(await run('cat', 'hello\n')).toMatchObject({ code: 0, stdout: 'hello\n' })
  })

  it('is empty by default, and can still be opened', async () => {
    expect(await run('cat /dev/stdin')).toMatchObject({ code: 0, stdout: '' })
    expect(await run('cat')).toMatchObject({ code: 0, stdout: '' })
  })

  it('can be ignored', async () => {
    expect(await run('echo done', 'x'.repeat(1e6))).toMatchObject({ code: 0, stdout: 'done\n' })
  })

  it('is passed completely, whatever its size and content', async () => {
    const text = `${'ü€😀\n'.repeat(100_000)}end`
    expect((await run('cat', text)).stdout).toBe(text)
  })

  it('is separate for programs that run at once', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `input ${index}`)
    const ends = await Promise.all(texts.map(text => run('cat', text)))
    expect(ends.map(({ stdout }) => stdout)).toEqual(texts)
  })

  it('leaves no file', async () => {
    await run('cat', 'secret')
    await expect(
      runProgram({
        command: ['no-such-program'],
        cwd: '/',
        stdin: 'x',
        maxOutputBytes: 1,
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('ENOENT')
    expect(readdirSync(tmpdir()).filter(name => name.startsWith('assay-input-'))).toEqual([])
  })
})
