import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { evaluate } from '../../../support/suite-run.ts'
import { echoFolder, echoTest, Watch, writeTests } from '../../../support/watch-session.ts'

const TESTS = [echoTest('one'), echoTest('two'), echoTest('three')]

describe('an edit', () => {
  it('of a test runs that test, and carries the others over', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('3 tests: 3 passed')
    expect(watch.made).toEqual(['one', 'two', 'three'])
    writeTests(folder, [echoTest('one'), echoTest('two', 'two, please'), echoTest('three')])
    const printed = await watch.idle()
    expect(printed).toContain('1 of 3 tests affected, 2 carried over from run ')
    expect(printed).toContain('1 test: the input changed')
    expect(watch.made).toEqual(['two'])
    expect(watch.carried).toEqual(['one', 'three'])
    expect(watch.calls).toEqual(['one', 'two', 'three', 'two'])
  })

  it('of the agent runs all of its tests', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    appendFileSync(join(folder, 'agent.sh'), 'echo more\n')
    expect(await watch.idle()).toContain('3 of 3 tests affected\n  3 tests: agent.sh changed')
    expect(watch.made).toEqual(['one', 'two', 'three'])
  })

  it('that an editor makes by renaming a new file over the old one is noticed each time', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    for (const text of ['first', 'second']) {
      writeFileSync(join(folder, '.agent.sh.swp'), `cat "$1"; echo ${text}\n`)
      renameSync(join(folder, '.agent.sh.swp'), join(folder, 'agent.sh'))
      expect(await watch.idle()).toContain('agent.sh changed')
    }
  })

  it('of a file behind a link is noticed', async () => {
    const elsewhere = folderWith({ 'prompt.txt': 'one' })
    const content = [{ type: 'file', value: 'prompt.txt' }]
    const folder = echoFolder([{ ...echoTest('one'), input: [{ role: 'user', content }] }])
    symlinkSync(join(elsewhere, 'prompt.txt'), join(folder, 'prompt.txt'))
    const watch = new Watch(folder)
    await watch.idle()
    writeFileSync(join(elsewhere, 'prompt.txt'), 'one more')
    expect(await watch.idle()).toContain('prompt.txt changed')
  })

  it('of a file that `depends_on` matches runs the tests of the target, also if the file is new', async () => {
    const folder = echoFolder(TESTS, { depends_on: ['prompts/**'] }, { 'prompts/first.txt': 'Hello' })
    const watch = new Watch(folder)
    await watch.idle()
    mkdirSync(join(folder, 'prompts/deep'), { recursive: true })
    writeFileSync(join(folder, 'prompts/deep/system.txt'), 'Be nice')
    expect(await watch.idle()).toContain('prompts/deep/system.txt is new')
    writeFileSync(join(folder, 'prompts/deep/system.txt'), 'Be nicer')
    expect(await watch.idle()).toContain('prompts/deep/system.txt changed')
    expect(watch.runs).toBe(3)
  })

  it('of a variable in a new .env file is noticed', async () => {
    const folder = echoFolder([echoTest('one')], { command: 'echo ${{ WORD }}', version: '${{ WORD }}' })
    const watch = new Watch(folder)
    await watch.until('the variable `WORD` is not set')
    await watch.idle()
    writeFileSync(join(folder, '.env'), 'WORD=one\n')
    expect(await watch.idle()).toContain('1 test: 1 passed')
  })

  it('of a custom provider runs the new code', async () => {
    const provider = (text: string) => `export default {
  config: { safeParse: data => ({ success: true, data }) },
  answer: async () => ({ text: ${JSON.stringify(text)} }),
}
`
    const folder = echoFolder([echoTest('one')], { provider: './provider.mjs' }, { 'provider.mjs': provider('one') })
    writeFileSync(
      join(folder, '.assay/targets.yaml'),
      JSON.stringify({ targets: [{ name: 'default', provider: './provider.mjs' }] }),
    )
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('1 test: 1 passed')
    writeFileSync(join(folder, 'provider.mjs'), provider('two'))
    expect(await watch.idle()).toContain('1 test: 1 failed')
    writeFileSync(join(folder, 'provider.mjs'), provider('one'))
    expect(await watch.idle()).toContain('1 test: 1 passed')
  })

  it('that changes no test is answered, and runs nothing', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    await watch.until('EVAL.yaml changed: all results are current.')
    expect(watch.runs).toBe(1)
  })

  it('of an unrelated file prints nothing', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    writeFileSync(join(folder, 'notes.txt'), 'Hello')
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    expect(await watch.until('all results are current')).not.toContain('notes.txt')
    expect(watch.runs).toBe(1)
  })
})

describe('ten edits at once', () => {
  it('start one run', async () => {
    const suites = Array.from({ length: 10 }, (_, index) => `suite-${index}.eval.yaml`)
    const text = (name: string, input: string) =>
      JSON.stringify({ name: name.split('.')[0], tests: [echoTest('one', input)] })
    const files = Object.fromEntries(suites.map(file => [file, text(file, 'one')]))
    const folder = echoFolder([echoTest('one')], {}, files)
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('11 tests: 11 passed')
    for (const file of suites) writeFileSync(join(folder, file), text(file, 'one again'))
    expect(await watch.idle()).toContain('10 of 11 tests affected')
    appendFileSync(join(folder, 'EVAL.yaml'), '\n# A comment.\n')
    await watch.until('all results are current')
    expect(watch.runs).toBe(2)
  })
})

describe('a session', () => {
  it('runs a new test, and leaves out a removed one', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    writeTests(folder, [...TESTS, echoTest('four')])
    expect(await watch.idle()).toContain('1 test: new test')
    expect(watch.made).toEqual(['four'])
    writeTests(folder, [echoTest('one'), echoTest('four')])
    expect(await watch.idle()).toContain('0 of 2 tests affected, 2 carried over')
    expect(watch.carried).toEqual(['one', 'four'])
    expect(watch.calls).toEqual(['one', 'two', 'three', 'four'])
  })

  it('finds a new suite in a new folder', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    mkdirSync(join(folder, 'more/evals'), { recursive: true })
    writeFileSync(join(folder, 'more/evals/new.eval.yaml'), JSON.stringify({ name: 'new', tests: [echoTest('five')] }))
    await watch.idle()
    expect(watch.made).toEqual(['five'])
    expect(watch.carried).toHaveLength(3)
  })

  it('prints the errors of a broken suite once, and runs what is affected once it is fixed', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    const good = readFileSync(join(folder, 'EVAL.yaml'), 'utf8')
    writeFileSync(join(folder, 'EVAL.yaml'), good.slice(0, -5))
    expect(await watch.idle()).toContain('error yaml-syntax')
    writeFileSync(join(folder, 'notes.txt'), 'Hello')
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two'), echoTest('three')])
    const printed = await watch.idle()
    expect(printed).not.toContain('yaml-syntax')
    expect(printed).toContain('1 of 3 tests affected')
    expect(watch.made).toEqual(['one'])
    expect(watch.runs).toBe(2)
  })

  it('starts with a suite that has errors', async () => {
    const folder = echoFolder(TESTS)
    writeFileSync(join(folder, 'EVAL.yaml'), 'nmae: x\n')
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('unknown-key')
    writeTests(folder, TESTS)
    expect(await watch.idle()).toContain('3 tests: 3 passed')
    watch.press('q')
    expect(await watch.ended).toBe(0)
  })

  it('exits with 2 while a suite has errors, and as the last run once they are gone', async () => {
    const folder = echoFolder([echoTest('one', 'else')])
    const watch = new Watch(folder)
    expect(await watch.idle()).toContain('1 test: 1 failed')
    const good = readFileSync(join(folder, 'EVAL.yaml'), 'utf8')
    writeFileSync(join(folder, 'EVAL.yaml'), '[')
    await watch.idle()
    writeFileSync(join(folder, 'EVAL.yaml'), good)
    await watch.until('EVAL.yaml changed: all results are current.')
    writeFileSync(join(folder, 'EVAL.yaml'), '[')
    await watch.idle()
    watch.press('q')
    expect(await watch.ended).toBe(2)
  })

  it('keeps watching while all tests are gone', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder)
    await watch.idle()
    rmSync(join(folder, 'EVAL.yaml'))
    expect(await watch.idle()).toContain('No suite found')
    writeTests(folder, [echoTest('one', 'one!')])
    await watch.idle()
    expect(watch.made).toEqual(['one'])
  })

  it('notices a changed mark without running the test', async () => {
    const folder = echoFolder([echoTest('one', 'else'), echoTest('two')])
    const watch = new Watch(folder)
    await watch.idle()
    writeTests(folder, [{ ...echoTest('one', 'else'), execution: { expected_failure: 'known' } }, echoTest('two')])
    expect(await watch.idle()).toContain('quality gate passed')
    expect(watch.calls).toEqual(['one', 'two'])
    watch.press('q')
    expect(await watch.ended).toBe(0)
  })

  it('starts with what is affected since a baseline, and compares each run with it', async () => {
    const folder = echoFolder(TESTS)
    await evaluate(folder)
    await assay(['baseline', 'save'], { cwd: folder })
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two'), echoTest('three')])
    const watch = new Watch(folder, ['--affected'])
    expect(await watch.idle()).toContain('1 of 3 tests affected, 2 carried over from baseline main')
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two', 'two!'), echoTest('three')])
    const printed = await watch.idle()
    expect(printed).toContain('1 of 3 tests affected, 2 carried over from run ')
    expect(printed).toContain('against main')
    expect(watch.made).toEqual(['two'])
    expect(watch.carried).toEqual(['one', 'three'])
  })

  it('writes the reports of each run', async () => {
    const folder = echoFolder(TESTS)
    const watch = new Watch(folder, ['-o', 'results.jsonl', '--quiet', '--trials', '2'])
    await watch.idle()
    const lines = () => readFileSync(join(folder, 'results.jsonl'), 'utf8').trim().split('\n')
    expect(lines()).toHaveLength(6)
    writeTests(folder, [echoTest('one', 'one!'), echoTest('two'), echoTest('three')])
    await watch.idle()
    expect(lines()).toHaveLength(2)
  })
})
