import { chmodSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../../src/host/node.ts'
import { evalFolder, evaluate } from '../../../support/evaluation.ts'
import { describeWithBubblewrap } from '../../../support/external/bubblewrap.ts'
import { assay, assayOn } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'

const TARGET = { name: 'default', provider: 'cli', command: 'echo ok', workspace: 'app', sandbox: true }

const project = (more: object = {}, files: Record<string, string> = {}) =>
  evalFolder([{ id: 'a', input: 'Hello' }], [{ ...TARGET, ...more }], { 'app/a.txt': 'a', ...files })

/** A PATH with only a shell and Node, and a `bwrap` of this text. */
function pathWith(bwrap?: string): string {
  const folder = folderWith(bwrap === undefined ? {} : { bwrap })
  if (bwrap !== undefined) chmodSync(join(folder, 'bwrap'), 0o755)
  symlinkSync(process.execPath, join(folder, 'node'))
  return folder
}

describe('a sandbox without bubblewrap', () => {
  it('is reported before the run, with the package to install', async () => {
    const cwd = project()
    const { code, stderr } = await assay(['eval'], { cwd, env: { PATH: pathWith() } })
    expect(code).toBe(2)
    expect(stderr).toContain('error not-available\n  `sandbox` needs bubblewrap, and `bwrap` is not on PATH')
    expect(stderr).toContain('hint: install the package `bubblewrap`, such as with `apt install bubblewrap`')
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
  })

  it('is reported for a judge too', async () => {
    const judge = { ...TARGET, name: 'judge' }
    const cwd = evalFolder(
      [{ id: 'a', input: 'Hello', assert: [{ type: 'llm_judge', prompt: 'Is it good?' }] }],
      [{ name: 'default', provider: 'mock', response: 'ok' }, judge],
      { 'app/a.txt': 'a' },
    )
    const { code, stderr } = await assay(['eval'], { cwd, env: { PATH: pathWith() } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('error not-available')])
  })

  it('is shown by `assay targets`', async () => {
    const { code, stdout } = await assay(['targets'], { cwd: project(), env: { PATH: pathWith() } })
    expect(code).toBe(2)
    expect(stdout).toContain('missing  default')
    expect(stdout).toContain('apt install bubblewrap')
  })

  it('is no problem of the files', async () => {
    const { code } = await assay(['validate'], { cwd: project(), env: { PATH: pathWith() } })
    expect(code).toBe(0)
  })
})

describe('a sandbox on another system than Linux', () => {
  const on = (cwd: string) => ({ ...nodeHost(cwd, { ...process.env, CI: 'true' }), platform: 'darwin' })

  it('is reported before the run', async () => {
    const cwd = project()
    const { code, stderr } = await assayOn(on(cwd), ['eval'])
    expect(code).toBe(2)
    expect(stderr).toContain('sandboxes need Linux, and this machine has `darwin`')
    expect(stderr).toContain('hint: remove `sandbox`, or run it on Linux')
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
  })

  it('is shown by `assay targets`', async () => {
    expect((await assayOn(on(project()), ['targets'])).stdout).toContain('sandboxes need Linux')
  })
})

describe('a sandbox that the machine does not allow', () => {
  const denied = '#!/bin/sh\necho "bwrap: Creating new namespace failed: Operation not permitted" >&2\nexit 1\n'

  it('is an error of the attempt that says what to do, and no answer', async () => {
    const path = `${pathWith(denied)}:${process.env['PATH']}`
    const { code, results } = await evaluate(project({ retries: 0 }), [], { PATH: path })
    expect(code).toBe(3)
    expect(results.get('a')).toMatchObject({
      verdict: 'error',
      error: {
        code: 'sandbox-failed',
        never_reached: true,
        message: expect.stringMatching(
          /^the sandbox could not be created: bwrap: Creating new namespace failed: Operation not permitted; allow user namespaces for bwrap .*, or remove `sandbox`$/,
        ),
      },
    })
  })

  it('is no answer of an agent either', async () => {
    const path = `${pathWith(denied)}:${process.env['PATH']}`
    const agent = { provider: 'claude_cli', command: '/bin/cat', retries: 0 }
    const { results } = await evaluate(project(agent), [], { PATH: path })
    expect(results.get('a')?.error).toMatchObject({ code: 'sandbox-failed', never_reached: true })
  })
})

describeWithBubblewrap('`readable`', () => {
  it.each(['.', '..', 'home', '.assay', '/tmp', 'link'])('cannot be a folder that sandboxes hide: %s', async path => {
    const cwd = project({ readable: ['app', path === '..' ? 'sub/..' : path] }, { 'home/a': '', 'sub/a': '' })
    symlinkSync(cwd, join(cwd, 'link'))
    const { code, stderr } = await assay(['eval'], { cwd, env: { HOME: join(cwd, 'home') } })
    expect(code).toBe(2)
    expect(stderr).toContain('is hidden in a sandbox, since it contains the project, other attempts or your files')
    expect(stderr.match(/error bad-target/g)).toHaveLength(1)
  })
})
