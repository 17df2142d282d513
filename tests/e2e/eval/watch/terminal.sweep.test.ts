import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { itWithTerminal, runOnTerminal } from '../../../support/external/terminal.ts'
import { itInTmux, TmuxShell } from '../../../support/external/tmux.ts'
import { folderWith, PROGRAM, run } from '../../../support/program.ts'
import { endLeftovers, expectNoProcesses, linesOf, markerEnv, temporaryFiles } from '../../../support/suite-run.ts'
import { echoFolder, echoTest, writeTests } from '../../../support/watch-session.ts'

afterEach(endLeftovers)

const SLOW = 'echo {TEST_ID} >> tmp/started.txt; sleep 300 & sleep 300'

/** A terminal whose own files are outside of the folder that is watched. */
async function startIn(folder: string): Promise<TmuxShell> {
  const shell = await TmuxShell.start(folderWith())
  await shell.type(`cd ${folder}; clear`, 'Enter')
  await shell.type(`TMPDIR=$PWD/tmp ${process.execPath} ${PROGRAM} eval --watch; echo "exit $?"`, 'Enter')
  return shell
}

function runsIn(folder: string): number {
  return readdirSync(join(folder, '.assay/runs')).filter(name => name !== 'latest').length
}

describe('in a terminal', () => {
  itInTmux('an edit clears the screen and runs what it affects, once for ten edits', async () => {
    const tests = Array.from({ length: 10 }, (_, index) => echoTest(`test-${index}`))
    const folder = echoFolder(tests)
    const shell = await startIn(folder)
    await shell.until(/10 tests: 10 passed.*Watching \d+ folders/s)
    for (let edit = 0; edit < 10; edit++) {
      const changed = tests.map((test, index) => (index <= edit ? echoTest(`test-${index}`, `test-${index}!`) : test))
      writeTests(folder, changed.slice(0, 9))
    }
    const screen = await shell.until(/9 of 9 tests affected.*9 tests: 9 passed.*Watching \d+ folders/s)
    expect(screen).not.toContain('10 passed')
    expect(runsIn(folder)).toBe(2)
    await shell.type('q')
    await shell.until('exit 0')
  })

  itInTmux('keys run all, failed and the last tests, and q leaves a usable terminal', async () => {
    const folder = echoFolder([echoTest('one'), echoTest('two', 'else')])
    const shell = await startIn(folder)
    await shell.until(/2 tests: 1 passed, 1 failed.*Press a to run all tests/s)
    await shell.type('f')
    await shell.until(/1 of 2 tests selected.*Press a to run all tests/s)
    await shell.type('', 'Enter')
    await shell.until(/1 test: run again\n.*Press a to run all tests/s)
    await shell.type('a')
    await shell.until(/2 tests: 1 passed, 1 failed.*Press a to run all tests/s)
    await shell.type('q')
    await shell.until('exit 1')
    expect(runsIn(folder)).toBe(4)
    await shell.type('echo us"a"ble', 'Enter')
    expect(await shell.until(/^usable$/m)).toContain('ready> echo us"a"ble')
  })

  itInTmux('Ctrl-C during a slow attempt leaves nothing behind', async () => {
    const folder = echoFolder([echoTest('one')], { command: SLOW })
    const shell = await startIn(folder)
    await expect.poll(() => linesOf(join(folder, 'tmp/started.txt')), { timeout: 60_000 }).toHaveLength(1)
    await shell.type('', 'C-c')
    await shell.until('exit 130')
    expect(temporaryFiles(folder)).toEqual(['started.txt'])
    expect(readdirSync(join(folder, '.assay/runs')).filter(name => name.includes('lock'))).toEqual([])
    await expectNoProcesses(folder)
  })

  itInTmux('an edit runs what it affects within a second of a plain run of the same test', async () => {
    const tests = (text: string) =>
      Array.from({ length: 20 }, (_, index) => echoTest(`test-${index}`, index === 7 ? `test-7 ${text}` : undefined))
    const folder = echoFolder(tests('zeroth'))
    const shell = await startIn(folder)
    await shell.until(/20 tests: 20 passed.*Watching/s)
    const differences: number[] = []
    for (const round of ['first', 'second', 'third']) {
      const before = await shell.screen()
      const edited = Date.now()
      writeTests(folder, tests(round))
      await shell.until(/1 of 20 tests affected.*1 test: 1 passed.*Watching/s, screen => screen !== before)
      const cycle = Date.now() - edited
      const began = Date.now()
      const args = [PROGRAM, 'eval', '--test-id', 'test-7', '--runs-dir', join(folder, 'tmp/runs')]
      expect(await run(process.execPath, args, { cwd: folder })).toMatchObject({ code: 0 })
      differences.push(cycle - (Date.now() - began))
    }
    expect(Math.min(...differences)).toBeLessThan(1000)
  })
})

describe('on a terminal', () => {
  const session = (folder: string, steps: readonly { expect: string; send: string }[]) =>
    runOnTerminal({
      command: [process.execPath, PROGRAM, 'eval', '--watch'],
      cwd: folder,
      env: { ...markerEnv(folder), TERM: 'xterm' },
      steps,
      seconds: 60,
    })

  itWithTerminal('q and Ctrl-C restore its mode', async () => {
    const folder = echoFolder([echoTest('one')])
    const quit = await session(folder, [{ expect: 'Press a', send: 'q' }])
    expect(quit).toMatchObject({ code: 0, isRestored: true, problem: null })
    const interrupted = await session(folder, [{ expect: 'Press a', send: '\u0003' }])
    expect(interrupted).toMatchObject({ code: 130, isRestored: true, problem: null })
  })

  itWithTerminal('two Ctrl-C during a slow attempt end at once', async () => {
    const folder = echoFolder([echoTest('one')], { command: `trap '' TERM; ${SLOW}` })
    const { code, isRestored } = await session(folder, [
      { expect: 'one', send: '\u0003' },
      { expect: 'again to stop at once', send: '\u0003' },
    ])
    expect({ code, isRestored }).toEqual({ code: 130, isRestored: true })
    await expectNoProcesses(folder)
  })
})

describe('without a terminal', () => {
  it('a closed stdin does not end it, and SIGTERM does', async () => {
    const folder = echoFolder([echoTest('one')])
    const script = `${process.execPath} ${PROGRAM} eval --watch < /dev/null 2> out.txt & pid=$!
      until grep -q Watching out.txt; do sleep 0.1; done; kill -TERM $pid; wait $pid; echo $?`
    expect((await run('sh', ['-c', script], { cwd: folder, env: markerEnv(folder) })).stdout).toBe('143\n')
    await expectNoProcesses(folder)
    const printed = linesOf(join(folder, 'out.txt')).join('\n')
    expect(printed).not.toContain('\u001b')
    expect(printed).not.toContain('Press')
  })
})
