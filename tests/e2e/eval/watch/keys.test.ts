import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { endLeftovers, expectNoProcesses, linesOf, temporaryFiles } from '../../../support/suite-run.ts'
import { echoFolder, echoTest, Watch, writeTests } from '../../../support/watch-session.ts'

afterEach(endLeftovers)

const TESTS = [echoTest('one'), echoTest('two', 'else'), echoTest('three')]

describe('a key', () => {
  it('a runs all tests again', async () => {
    const watch = new Watch(echoFolder(TESTS))
    expect(await watch.idle()).toContain('3 tests: 2 passed, 1 failed')
    watch.press('a')
    expect(await watch.idle()).toContain('3 tests: 2 passed, 1 failed')
    expect(watch.made).toEqual(['one', 'two', 'three'])
    expect(watch.carried).toEqual([])
    expect(watch.runs).toBe(2)
  })

  it('f runs failed tests again, also those that were carried over', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two', 'else'), echoTest('three')])
    await watch.idle()
    watch.press('f')
    const printed = await watch.idle()
    expect(printed).toContain('1 of 3 tests selected, 2 carried over from run ')
    expect(printed).toContain('1 test: run again after fail')
    expect(watch.made).toEqual(['two'])
    expect(watch.carried).toEqual(['one', 'three'])
    watch.press('q')
    expect(await watch.ended).toBe(1)
  })

  it('f runs nothing if no test failed', async () => {
    const watch = new Watch(echoFolder([echoTest('one')]))
    await watch.idle()
    watch.press('f')
    await watch.until('No failed tests.')
    expect(watch.runs).toBe(1)
  })

  it('Enter runs the tests of the last run again', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two', 'else'), echoTest('three')])
    await watch.idle()
    watch.press('return')
    expect(await watch.idle()).toContain('1 test: run again')
    expect(watch.made).toEqual(['one'])
    expect(watch.calls).toEqual(['one', 'two', 'three', 'one', 'one'])
  })

  it('during a run takes effect after it', async () => {
    const folder = echoFolder([echoTest('one')], {
      command: 'while [ ! -e tmp/go ]; do sleep 0.05; done; cat {PROMPT_FILE}',
    })
    const watch = new Watch(folder)
    await expect.poll(() => existsSync(join(folder, '.assay/runs/latest')), { timeout: 60_000 }).toBe(true)
    watch.press('a')
    writeFileSync(join(folder, 'tmp/go'), '')
    await watch.until('1 test: 1 passed')
    await watch.idle()
    expect(watch.runs).toBe(2)
  })

  it('q during a run stops it, and the run is incomplete', async () => {
    const folder = echoFolder([echoTest('one')], { command: 'echo started >> tmp/started.txt; sleep 300' })
    const watch = new Watch(folder)
    await expect.poll(() => linesOf(join(folder, 'tmp/started.txt')), { timeout: 60_000 }).toHaveLength(1)
    watch.press('q')
    expect(await watch.ended).toBe(3)
    expect(watch.output).toContain('Resume with: assay eval --resume=')
    await expectNoProcesses(folder)
  })

  it('that means nothing is ignored', async () => {
    const watch = new Watch(echoFolder([echoTest('one')]))
    await watch.idle()
    watch.press('x')
    watch.press('ctrl+d')
    watch.press('q')
    expect(await watch.ended).toBe(0)
    expect(watch.runs).toBe(1)
  })
})

describe('a test that passes after f, though nothing changed', () => {
  it('is named as flaky', async () => {
    const command = 'if [ -e tmp/again ]; then cat {PROMPT_FILE}; else echo no; fi'
    const folder = echoFolder([echoTest('one')], { command, version: '1' })
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('1 failed')
    writeFileSync(join(folder, 'tmp/again'), '')
    watch.press('f')
    expect(await watch.until('(flaky): one on default')).toContain('1 test failed before and passed now')
  })
})

describe('Ctrl-C', () => {
  it('between two runs ends the session', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    watch.signal('SIGINT')
    expect(await watch.ended).toBe(130)
    expect(temporaryFiles(folder)).toEqual(['calls.txt'])
  })

  it('during a slow attempt ends its processes, keeps finished attempts, and prints how to resume', async () => {
    const command =
      'case {TEST_ID} in slow) echo started >> tmp/started.txt; sleep 300 & sleep 300;; esac; cat {PROMPT_FILE}'
    const folder = echoFolder([echoTest('one'), echoTest('slow')], { command, version: '1' })
    const watch = new Watch(folder)
    await watch.until('pass one')
    await expect.poll(() => linesOf(join(folder, 'tmp/started.txt')), { timeout: 60_000 }).toHaveLength(1)
    watch.signal('SIGINT')
    expect(await watch.ended).toBe(130)
    expect(watch.made).toEqual(['one'])
    expect(watch.output).toMatch(/Resume with: assay eval --resume=\S+\n/)
    expect(temporaryFiles(folder)).toEqual(['started.txt'])
    await expectNoProcesses(folder)
  })

  it('in a run with results that are carried over leaves a run that can be resumed with them', async () => {
    const command =
      'case {TEST_ID} in two) [ -e tmp/go ] || { echo x >> tmp/slow.txt; sleep 300; };; esac; cat {PROMPT_FILE}'
    const folder = echoFolder([echoTest('one')], { command, version: '1' })
    const watch = new Watch(folder)
    await watch.idle()
    writeTests(folder, [echoTest('one'), echoTest('two')])
    await expect.poll(() => linesOf(join(folder, 'tmp/slow.txt')), { timeout: 60_000 }).toHaveLength(1)
    watch.signal('SIGINT')
    await watch.ended
    writeFileSync(join(folder, 'tmp/go'), '')
    const { code, stderr } = await assay(['eval', '--resume'], { cwd: folder })
    expect(stderr).toContain('1 test carried over from run ')
    expect(code).toBe(0)
    expect(watch.made).toEqual(['two'])
  })
})

describe('without a terminal', () => {
  it('no keys are offered, and there are no escape codes', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder, [], { hasKeys: false })
    await watch.until('Watching ')
    appendFileSync(join(folder, 'agent.sh'), 'true\n')
    await watch.until('Watching ')
    expect(watch.output).not.toContain('Press')
    expect(watch.output).not.toContain('\u001b')
  })
})

describe('--watch', () => {
  it.each([
    [['--resume'], 'Finish that run first, or start with `--watch --affected --against RUN`.'],
    [['--rerun-failed'], 'Press f while it watches: failed tests run again.'],
    [['--shard', '1/2'], 'Select tests with --test-id or --tag.'],
    [['--queue', 'redis://localhost'], 'It runs on this machine: limit it with --workers.'],
    [['--until-decided'], 'Run that once the edits are done, without --watch.'],
    [['--plan'], 'Show the plan first, without --watch.'],
    [['--json'], 'Write the results of each run to a file with -o results.jsonl.'],
  ])('cannot be used with %j', async (args, advice) => {
    const { code, stderr } = await assay(['eval', '--watch', ...args], { cwd: echoFolder(TESTS) })
    expect(stderr).toContain(`--watch cannot be used with ${args[0]}.\n${advice}\n`)
    expect(code).toBe(2)
  })

  it('ends at once if there is nothing to watch', async () => {
    const folder = echoFolder(TESTS)
    expect(await assay(['eval', '--watch', '--test-id', 'nope'], { cwd: folder })).toMatchObject({ code: 5 })
    expect(await assay(['eval', '--watch', '--against', 'nope'], { cwd: folder })).toMatchObject({ code: 2 })
  })
})
