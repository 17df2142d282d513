import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { runGit } from '../../src/record/git.ts'
import { commitAll } from '../support/git.ts'
import { folderWith } from '../support/program.ts'

const LIMIT_MS = 12_345

/** A host whose timer of the limit fires when it is told to. */
function hostWithLimit(cwd: string) {
  const own = nodeHost(cwd)
  let atLimit = () => {}
  const setTimer: typeof own.clock.setTimer = (ms, run) => {
    if (ms !== LIMIT_MS) return own.clock.setTimer(ms, run)
    atLimit = run
    return () => {}
  }
  return { host: { ...own, clock: { ...own.clock, setTimer } }, atLimit: () => atLimit() }
}

/** Runs a shell command as git does. */
async function runShell(shell: string) {
  const cwd = folderWith({ 'a.txt': 'a' })
  await commitAll(cwd)
  const { host, atLimit } = hostWithLimit(cwd)
  const lines: string[] = []
  const options = { limit_ms: LIMIT_MS, onLine: (line: string) => lines.push(line) }
  const end = runGit(['-c', `alias.told=!${shell}`, 'told'], cwd, host, options)
  await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
  return { end, atLimit, lines, hasEnded: () => isZombie(join(cwd, 'git.pid')) }
}

/** Whether the process whose id is in a file has ended, and its parent has not asked for its exit code yet. */
function isZombie(file: string): boolean {
  const pid = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return pid !== '' && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

it('keeps what git wrote in time, though this process was too busy to read it', async () => {
  const { end, atLimit, lines, hasEnded } = await runShell('touch begun; sleep 0.2; echo clean; echo $PPID > git.pid')
  while (!hasEnded()) {
    // As long as suites are loaded, nothing is read.
  }
  atLimit()
  expect((await end)?.code).toBe(0)
  expect(lines).toEqual(['clean'])
})

it('ends git after its limit', async () => {
  const { end, atLimit } = await runShell('touch begun; sleep 300')
  atLimit()
  expect((await end)?.code).toBeUndefined()
})
