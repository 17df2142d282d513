import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastUserText } from '../../../../src/model/messages/recorded-messages.ts'
import { assay } from '../../../support/in-process.ts'
import { linesOf, resultsIn, runFolder } from '../../../support/suite-run.ts'
import { Watch } from '../../../support/watch-session.ts'
import { project, suite, tests } from './prompts.ts'

/** Answers with the prompt and a number that no other answer has, and notes the test. */
const AGENT = 'echo "$1" >> tmp/calls.txt; cat; echo " by $$"\n'

const TARGET = {
  name: 'small',
  provider: 'cli',
  command: ['sh', 'agent.sh', '{TEST_ID}'],
  workers: 1,
}

/** Two variants that ask the same, and one that does not. */
const ALIKE = [
  { name: 'one', input: '{{input}} right' },
  { name: 'two', input: '{{input}} right' },
  { name: 'three', input: 'Say {{input}} right' },
]

const fileVariant = (name: string) => ({
  name,
  input: [
    {
      role: 'user',
      content: [
        { type: 'file', value: `${name}.md` },
        { type: 'text', value: '{{input}} right' },
      ],
    },
  ],
})

const PARTS = { execution: { target: 'small' }, variants: ALIKE }

function folder(parts: object = PARTS, files: Record<string, string> = {}): string {
  const targets = JSON.stringify({ targets: [TARGET] })
  return project(parts, { 'agent.sh': AGENT, '.assay/targets.yaml': targets, 'tmp/calls.txt': '', ...files })
}

const answersIn = (cwd: string) =>
  Object.fromEntries(resultsIn(cwd).map(({ target, test_id, answer }) => [`${target} ${test_id}`, answer]))

/** The arms and tests of the last run, without those that it carried over. */
const madeIn = (cwd: string) => Object.keys(answersIn(cwd)).sort()

const callsIn = (cwd: string) => linesOf(join(cwd, 'tmp/calls.txt'))

describe('answers of variants', () => {
  it('are cached for their own arm, also if two variants ask the same', async () => {
    const cwd = folder()
    await assay(['eval', '--cache'], { cwd })
    const before = answersIn(cwd)
    expect(new Set(Object.values(before)).size).toBe(6)
    await assay(['eval', '--cache'], { cwd })
    expect(answersIn(cwd)).toEqual(before)
    expect(callsIn(cwd)).toHaveLength(6)
    const [one, two, three] = ALIKE
    const swapped = [
      { ...one, name: 'three' },
      { ...three, name: 'one' },
      { ...two, input: '{{input}} right!' },
    ]
    writeFileSync(join(cwd, 'EVAL.yaml'), suite({ ...PARTS, variants: swapped }))
    await assay(['eval', '--cache'], { cwd })
    const asked = resultsIn(cwd).map(({ input, answer }) => answer?.startsWith(lastUserText(input)))
    expect(asked).toEqual([true, true, true, true, true, true])
    expect(callsIn(cwd)).toHaveLength(12)
  })

  it('are kept by arm when a run is resumed after it was killed', async () => {
    const cwd = folder()
    await assay(['eval'], { cwd })
    const before = answersIn(cwd)
    const kept = tear(cwd, 'results.jsonl').map(({ target, test_id }) => `${target} ${test_id}`)
    tear(cwd, 'answers.jsonl')
    expect(kept).toHaveLength(3)
    const { code } = await assay(['eval', '--resume'], { cwd })
    expect(code).toBe(0)
    const after = answersIn(cwd)
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
    const same = Object.keys(after).filter(arm => after[arm] === before[arm])
    expect(same.sort()).toEqual(kept.sort())
    expect(callsIn(cwd)).toHaveLength(9)
  })
})

describe('an edited variant', () => {
  it('is named as the reason of its own arms alone', async () => {
    const variants = [fileVariant('first'), fileVariant('second')]
    const cwd = folder({ ...PARTS, variants }, { 'first.md': 'First', 'second.md': 'Second' })
    await assay(['eval'], { cwd })
    await assay(['baseline', 'save'], { cwd })
    for (const name of ['first', 'second']) writeFileSync(join(cwd, `${name}.md`), 'Edited')
    const { stdout } = await assay(['status', '--why'], { cwd })
    for (const name of ['first', 'second']) {
      const lines = stdout.split('\n').filter(line => line.includes(`small/${name}`))
      expect(lines).toHaveLength(2)
      for (const line of lines) expect(line.match(/\w+\.md/g)).toEqual([`${name}.md`])
    }
  })

  it('makes attempts again that are compared with it', async () => {
    const targets = [
      { name: 'small', provider: 'mock', response: 'right' },
      { name: 'judge', provider: 'mock', response: '{"winner": "first", "reasoning": "x"}' },
    ]
    const variants = [
      { name: 'plain', input: '{{input}}' },
      { name: 'kind', input: '{{input}} please' },
    ]
    const [test] = tests(1)
    const assert = [
      { type: 'contains', value: 'right' },
      { type: 'pairwise', against: 'target small/plain' },
    ]
    const parts = { ...PARTS, variants, tests: [{ ...test, assert }] }
    const cwd = folder(parts, { '.assay/targets.yaml': JSON.stringify({ targets }) })
    const idOf = () => resultsIn(cwd).findLast(({ target }) => target === 'small/kind')?.attempt_id
    await assay(['eval'], { cwd })
    const before = idOf()
    writeFileSync(
      join(cwd, 'EVAL.yaml'),
      suite({
        ...parts,
        variants: variants.map(each => (each.name === 'plain' ? { ...each, input: '{{input}}!' } : each)),
      }),
    )
    await assay(['eval', '--resume'], { cwd })
    expect(idOf()).toEqual(expect.any(String))
    expect(idOf()).not.toBe(before)
  })
})

describe('--watch', () => {
  it('runs only the variant whose prompt file is edited', async () => {
    const variants = [fileVariant('first'), fileVariant('second')]
    const cwd = folder({ ...PARTS, variants }, { 'first.md': 'First', 'second.md': 'Second' })
    const watch = new Watch(cwd)
    expect(await watch.idle()).toContain('2 tests × 2 targets: 4 passed')
    writeFileSync(join(cwd, 'second.md'), 'Second, edited')
    const printed = await watch.idle()
    expect(printed).toContain('second.md changed')
    expect(madeIn(cwd)).toEqual(['small/second t1', 'small/second t2'])
    expect(callsIn(cwd)).toHaveLength(6)
    writeFileSync(
      join(cwd, 'EVAL.yaml'),
      suite({ ...PARTS, variants: [{ name: 'first', input: '{{input}} right' }, fileVariant('second')] }),
    )
    await watch.idle()
    expect(madeIn(cwd)).toEqual(['small/first t1', 'small/first t2'])
    expect(callsIn(cwd)).toHaveLength(8)
  })

  it('runs a test with its control variant again, so that both are compared', async () => {
    const variants = [{ ...fileVariant('first'), control: true }, fileVariant('second')]
    const cwd = folder({ ...PARTS, tests: tests(1), variants }, { 'first.md': 'First', 'second.md': 'Second' })
    const watch = new Watch(cwd)
    await watch.idle()
    writeFileSync(join(cwd, 'second.md'), 'Second, edited')
    expect(await watch.idle()).toContain('1 test compared')
    expect(madeIn(cwd)).toEqual(['small/first t1', 'small/second t1'])
  })
})

/** Keeps the first half of the records of the last run, and a part of the next one. */
function tear(cwd: string, name: string): { target: string; test_id: string }[] {
  const path = join(runFolder(cwd), name)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const kept = lines.slice(0, lines.length / 2)
  writeFileSync(path, `${kept.join('\n')}\n${lines[kept.length]?.slice(0, 40)}`)
  return kept.map(line => JSON.parse(line))
}
