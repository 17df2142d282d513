import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { endLeftovers, expectNoProcesses, linesOf } from '../../../support/suite-run.ts'
import { echoFolder, echoTest, Watch, writeTests } from '../../../support/watch-session.ts'

afterEach(endLeftovers)

/** An agent that answers when it is told to, and notes that it was asked. */
const SLOW = 'echo {TEST_ID} >> tmp/started.txt; sh agent.sh {PROMPT_FILE}'

async function started(folder: string, count: number): Promise<void> {
  await expect.poll(() => linesOf(join(folder, 'tmp/started.txt')), { timeout: 60_000 }).toHaveLength(count)
}

/** Long enough for a change to be seen, after which nothing happens that could be waited for. */
function changeIsSeen(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 500))
}

describe('a change during a run', () => {
  it('of the agent stops the run, keeps nothing that is outdated, and runs all again', async () => {
    // The agent has read its program before it is edited.
    const slow = 'echo started >> tmp/started.txt; sleep 300\n'
    const folder = echoFolder([echoTest('one'), echoTest('two')], { workers: 2 }, { 'agent.sh': slow })
    const watch = new Watch(folder)
    await started(folder, 2)
    writeFileSync(join(folder, 'agent.sh'), 'cat "$1"\n')
    expect(await watch.until('2 tests: 2 passed')).toContain('Stopped: files changed. 0 of 2 attempts recorded.')
    await watch.idle()
    expect(watch.runs).toBe(2)
    watch.press('q')
    expect(await watch.ended).toBe(0)
    await expectNoProcesses(folder)
  })

  it('of one test among several runs that one after the run', async () => {
    const tests = [echoTest('one'), echoTest('two'), echoTest('three')]
    const waits = 'while [ ! -e tmp/go ]; do sleep 0.05; done; cat "$1"\n'
    const folder = echoFolder(tests, { command: SLOW, workers: 3 }, { 'agent.sh': waits })
    const watch = new Watch(folder)
    await started(folder, 3)
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two'), echoTest('three')])
    await changeIsSeen()
    writeFileSync(join(folder, 'tmp/go'), '')
    await watch.until('3 tests: 3 passed')
    expect(await watch.until('1 test: 1 passed')).toContain('1 of 3 tests affected, 2 carried over')
    expect(watch.runs).toBe(2)
    expect(watch.made).toEqual(['one'])
  })

  it('that breaks the suite lets the run end', async () => {
    const waits = 'while [ ! -e tmp/go ]; do sleep 0.05; done; cat "$1"\n'
    const folder = echoFolder([echoTest('one')], { command: SLOW }, { 'agent.sh': waits })
    const watch = new Watch(folder)
    await started(folder, 1)
    writeFileSync(join(folder, 'EVAL.yaml'), '[')
    await changeIsSeen()
    writeFileSync(join(folder, 'tmp/go'), '')
    await watch.until('1 test: 1 passed')
    await watch.until('error yaml-syntax')
    writeTests(folder, [echoTest('one')])
    await watch.until('EVAL.yaml changed: all results are current.')
    expect(watch.runs).toBe(1)
  })
})

describe('an agent that writes a file that it depends on', () => {
  const target = { command: 'echo {TEST_ID} >> data/memory.json; cat {PROMPT_FILE}', depends_on: ['data/*'] }

  it('does not cause the next run, until the file is edited', async () => {
    const folder = echoFolder([echoTest('one'), echoTest('two')], target, { 'data/memory.json': '' })
    const watch = new Watch(folder)
    await watch.until('data/memory.json changed during the run: counted as written by the agent')
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    await watch.until('EVAL.yaml changed: all results are current.')
    writeTests(folder, [echoTest('one'), echoTest('two', 'two!')])
    expect(await watch.until('1 test: 1 passed')).toContain('1 of 2 tests affected, 1 carried over')
    await watch.idle()
    expect(watch.runs).toBe(2)
    writeFileSync(join(folder, 'data/memory.json'), 'edited')
    expect(await watch.until('2 tests: 2 passed')).toContain('data/memory.json changed')
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    await watch.until('EVAL.yaml changed: all results are current.')
    expect(watch.runs).toBe(3)
  })

  it('does not hide an edit of a file that earlier runs left alone', async () => {
    // Looks before it is seen to have started, after which the file is removed.
    const looks = '[ -e tmp/slow ]; fast=$?; echo {TEST_ID} >> tmp/started.txt; [ $fast = 0 ] && sleep 300'
    const command = `${looks}; cat {PROMPT_FILE}`
    const files = { 'data/prompt.txt': 'Be nice' }
    const folder = echoFolder([echoTest('one')], { command, depends_on: ['data/*'] }, files)
    const watch = new Watch(folder)
    await watch.idle()
    writeFileSync(join(folder, 'tmp/slow'), '')
    watch.press('a')
    await started(folder, 2)
    rmSync(join(folder, 'tmp/slow'))
    writeFileSync(join(folder, 'data/prompt.txt'), 'Be nicer')
    expect(await watch.until('1 test: 1 passed')).toContain('data/prompt.txt changed')
  })

  it('is run only a few times if it writes its own program', async () => {
    const command = 'echo "# {TEST_ID}" >> notes.md; cat {PROMPT_FILE}'
    const folder = echoFolder([echoTest('one')], { command, depends_on: ['*.md'] }, { 'notes.md': '' })
    const watch = new Watch(folder)
    await watch.until('Files changed during each of the last 3 runs, so results are outdated.')
    await watch.idle()
    expect(watch.runs).toBe(4)
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    await watch.until('so results are outdated.')
    expect(watch.runs).toBe(4)
    watch.press('q')
    expect(await watch.ended).toBe(3)
  })

  it('is run only a few times if it creates files', async () => {
    const command = 'date +%s%N > data/$$.json; cat {PROMPT_FILE}'
    const folder = echoFolder([echoTest('one')], { command, depends_on: ['data/*'] }, { 'data/first.json': '' })
    const watch = new Watch(folder)
    await watch.until('Files changed during each of the last 3 runs')
    expect(watch.runs).toBe(4)
    watch.press('q')
    expect(await watch.ended).toBe(3)
  })
})

describe('a test that ends in an error', () => {
  it('is not run again by changes that do not concern it, but counts', async () => {
    const command = 'case {TEST_ID} in one) exit 7;; esac; cat {PROMPT_FILE}'
    const folder = echoFolder([echoTest('one'), echoTest('two')], { command, version: '1' })
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('1 with errors')
    writeTests(folder, [echoTest('one'), echoTest('two', 'two!')])
    expect(await watch.idle()).toContain('1 test carried over from run')
    expect(watch.made).toEqual(['two'])
    watch.press('f')
    expect(await watch.idle()).toContain('run again after error')
    expect(watch.made).toEqual(['one'])
    watch.press('q')
    expect(await watch.ended).toBe(3)
  })
})

describe('the files of a session itself', () => {
  it('start no run: records, logs, reports, baselines and cache', async () => {
    const folder = echoFolder([echoTest('one')], { depends_on: ['*.sh'] })
    const watch = new Watch(folder, ['--log', '--cache', '-o', 'results.json', '-o', 'report.html'])
    await watch.idle()
    await assay(['baseline', 'save'], { cwd: folder })
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    await watch.until('EVAL.yaml changed: all results are current.')
    expect(watch.runs).toBe(1)
  })
})
