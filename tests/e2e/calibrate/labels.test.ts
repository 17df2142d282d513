import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { instrumentOf } from '../../../src/model/calibration.ts'
import type { Label } from '../../../src/model/label.ts'
import type { Result } from '../../../src/model/result.ts'
import { assay } from '../../support/in-process.ts'
import {
  drawByVerdict,
  evalWorld,
  isRight,
  LABELS,
  labelOf,
  type WorldFolder,
  worldFolder,
  writeLabels,
  writeText,
} from './judged-world.ts'

const HOSTILE_TEXTS = [
  '\x1b[2J\x1b[31m',
  '</script><b>',
  '\u202etxt',
  '\r\n::error::x',
  '\0\x07\x9b',
  '##[error]x',
  '\u{e0001}',
]

let world: WorldFolder
let results: Result[]
let drawn: Result[]

beforeAll(async () => {
  world = await worldFolder()
  results = await evalWorld(world)
  drawn = drawByVerdict(results, 24)
}, 60_000)

async function calibrated(labels: readonly object[], args: readonly string[] = []) {
  writeLabels(world.cwd, labels)
  const ended = await assay(['calibrate', ...args], world)
  if (args.includes('--json')) return { ...ended, set: JSON.parse(ended.stdout).suites[0].judge_sets[0] }
  return { ...ended, set: undefined }
}

const labelsOf = (label?: (result: Result) => Label['label'], by = 'ann') =>
  drawn.map(result => labelOf(result, { by, label }))

describe('labels', () => {
  it('are missing: nothing is written, and the message says how to make them', async () => {
    const empty = await worldFolder({ answers: 2 })
    await evalWorld(empty)
    const { code, stderr } = await assay(['calibrate'], empty)
    expect([code, stderr]).toEqual([5, `No labels in ${LABELS}. Label some answers with \`assay label\`.\n`])
    expect(existsSync(join(empty.cwd, '.assay/calibration'))).toBe(false)
  })

  it('do not count if they were drawn by the verdicts of another judge', async () => {
    const foreign = labelsOf().map((label, index) => (index < 20 ? { ...label, drawn_by: 'other' } : label))
    const { stdout, set } = await calibrated(foreign, ['--json'])
    expect(set.figures.labels).toBe(4)
    expect(JSON.parse(stdout).suites[0].not_counted).toMatchObject({ drawn_otherwise: 20 })
    const own = labelsOf().map((label, index) => ({ ...label, drawn_by: instrumentOf(drawn[index] as Result) }))
    expect((await calibrated(own, ['--json'])).set.figures.labels).toBe(24)
    expect((await calibrated(foreign)).stdout).toContain(
      'not counted: 20 labels drawn by the verdicts of other judges or checks (label again with `assay label`)',
    )
  })

  it('are none in an empty file', async () => {
    writeText(world.cwd, '\n\n')
    const { code, stderr } = await assay(['calibrate'], world)
    expect([code, stderr]).toEqual([5, `No labels in ${LABELS}. Label some answers with \`assay label\`.\n`])
  })

  it('count also in the last line without a line break', async () => {
    writeText(
      world.cwd,
      labelsOf()
        .map(label => JSON.stringify(label))
        .join('\n'),
    )
    const { code, stdout } = await assay(['calibrate'], world)
    expect(code).toBe(0)
    expect(stdout).toContain('24 labels by 1 person on 24 answers')
  })

  it('are an error where a line is cut off, with its location', async () => {
    const lines = labelsOf().map(label => JSON.stringify(label))
    writeText(world.cwd, `${lines.slice(0, 2).join('\n')}\n${lines[2]?.slice(0, 40)}`)
    const { code, stdout, stderr } = await assay(['calibrate'], world)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/world\.jsonl:3: invalid JSON\. Repair the line or remove it\.\n$/)
  })

  it('are an error where a line is not a label', async () => {
    const { code, stderr } = await calibrated([...labelsOf(), { ...labelsOf()[0], label: 'good' }])
    expect(code).toBe(2)
    expect(stderr).toMatch(/world\.jsonl:25: this is not a label: `label`/)
  })

  it('of answers that are not in this run are counted, and the calibration has the others', async () => {
    const other = { ...labelOf(drawn[0]!), answer_sha256: 'f'.repeat(64) }
    const changed = { ...labelOf(drawn[1]!), task_hash: '0'.repeat(16) }
    const removed = { ...labelOf(drawn[1]!), test_id: 'gone' }
    const { code, stdout } = await calibrated([...labelsOf(), other, changed, removed])
    expect(code).toBe(0)
    expect(stdout).toContain('24 labels by 1 person on 24 answers')
    expect(stdout).toContain(
      'not counted: 1 label of answers that are not in this run, 2 labels of tests that were changed or removed\n',
    )
  })

  it('that are all of other runs calibrate nothing', async () => {
    const { code, stderr } = await calibrated(labelsOf().map(label => ({ ...label, answer_sha256: 'f'.repeat(64) })))
    expect([code, stderr]).toEqual([
      5,
      `None of 24 labels in ${LABELS} is of this run. Label some answers with \`assay label\`.\n`,
    ])
  })

  it('of one person on one answer: the newest counts, wherever it is in the file', async () => {
    const [first, ...others] = labelsOf() as [Label, ...Label[]]
    const newer: Label = { ...first, label: first.label === 'pass' ? 'fail' : 'pass', at: '2026-11-18T00:00:00+01:00' }
    const { set } = await calibrated([newer, first, ...others], ['--json'])
    const plain = await calibrated([first, ...others], ['--json'])
    expect(set.figures.labels).toBe(24)
    expect(set.figures.confusion).not.toEqual(plain.set.figures.confusion)
  })

  it('that are unsure, or equally divided, count in no figure', async () => {
    const [one, two, ...others] = drawn
    const labels = [
      labelOf(one!, { label: () => 'unsure' }),
      labelOf(two!, { by: 'ann', label: () => 'pass' }),
      labelOf(two!, { by: 'bob', label: () => 'fail' }),
      ...others.map(result => labelOf(result)),
    ]
    const { stdout } = await calibrated(labels)
    expect(stdout).toContain('22 labels by 2 people on 22 answers')
    expect(stdout).toContain('not counted: 1 unsure label, 2 labels of answers that as many people pass as fail')
  })

  it('of two people show how far people agree, and the majority of three counts', async () => {
    const wrong = (result: Result): Label['label'] => (isRight(result) ? 'fail' : 'pass')
    const two = await calibrated([...labelsOf(), ...labelsOf(undefined, 'bob')])
    expect(two.stdout).toContain('48 labels by 2 people on 24 answers')
    expect(two.stdout).toContain('between people, on 24 answers: agreement 100 %')
    const three = await calibrated(
      [...labelsOf(), ...labelsOf(undefined, 'bob'), ...labelsOf(wrong, 'eve')],
      ['--json'],
    )
    const alone = await calibrated(labelsOf(), ['--json'])
    expect(three.set.figures.confusion).toEqual(alone.set.figures.confusion)
    expect(three.set.figures.between_people.kappa.value).toBeLessThan(0.5)
  })

  it('of two people on few answers are said to be few', async () => {
    const { stdout } = await calibrated([...labelsOf(), ...labelsOf(undefined, 'bob').slice(0, 3)])
    expect(stdout).toContain('only 3 answers are labelled by two people')
  })

  it.each([
    ['pass', 'people pass every labelled answer: the specificity is unknown.', 'specificity'],
    ['fail', 'people fail every labelled answer: the sensitivity is unknown.', 'sensitivity'],
  ] as const)('that all say %s leave one rate unknown', async (label, note, rate) => {
    const { stdout } = await calibrated(labelsOf(() => label))
    expect(stdout).toContain(note)
    expect(stdout).toMatch(new RegExp(` ${rate} +unknown `))
  })

  it('of one verdict of the judge leave sensitivity, specificity and κ unknown', async () => {
    const passed = drawn.filter(({ verdict }) => verdict === 'pass')
    const { stdout, code } = await calibrated(passed.map(result => labelOf(result)))
    expect(code).toBe(0)
    expect(stdout).toContain('no label is of an answer that the judge fails')
    expect(stdout).toMatch(
      / sensitivity +unknown .*\n +specificity +unknown .*\n +agreement +unknown .*\n +κ +unknown /,
    )
  })

  it('below 20 are said to be few', async () => {
    const { stdout } = await calibrated(labelsOf().slice(6, 18))
    expect(stdout).toContain('fewer than 20 labelled answers')
  })

  it('that are scores give the mean score by PPI++, with what it needs', async () => {
    const { code, stdout } = await calibrated(labelsOf(result => (isRight(result) ? 0.9 : 0.2)))
    expect(code).toBe(0)
    expect(stdout).toContain('no labels that say pass or fail; 60 judged attempts')
    expect(stdout).toMatch(/mean score on default by 24 labels \(PPI\+\+\): 0\.\d\d \[0\.\d\d–0\.\d\d\]/)
    expect(stdout).toContain('PPI++ needs labels that were drawn by simple random sampling.')
    expect(stdout).toContain('PPI++ needs at least 50 labels')
  })

  it('with hostile texts do not steer the terminal, as text or as JSON', async () => {
    const labels = labelsOf().map((label, index) => {
      const text = HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? ''
      return { ...label, by: `p${text}`, note: text, test_id: index === 0 ? text : label.test_id }
    })
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await calibrated(labels, args)
      expect(code).toBe(0)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
  })
})

describe('runs', () => {
  beforeEach(() => writeLabels(world.cwd, labelsOf()))

  it('that are graded again keep the labels of their answers', async () => {
    const source = results[0]?.run_id ?? ''
    await assay(['grade', source, '--quiet'], world)
    const { stdout } = await assay(['calibrate'], world)
    expect(stdout).toContain('24 labels by 1 person on 24 answers')
    const before = readdirSync(join(world.cwd, '.assay/calibration')).length
    await assay(['calibrate', source], world)
    expect(readdirSync(join(world.cwd, '.assay/calibration'))).toHaveLength(before)
  })

  it('that no model judged have nothing to calibrate', async () => {
    const plain = await worldFolder({ answers: 2 })
    writeText(
      plain.cwd,
      JSON.stringify({
        name: 'world',
        tests: [{ id: 'a', criteria: 'x', input: 'right', assert: [{ type: 'contains', value: 'right' }] }],
      }),
      'EVAL.yaml',
    )
    await evalWorld(plain)
    const { code, stderr } = await assay(['calibrate'], plain)
    expect([code, stderr]).toEqual([5, 'No model judges in this run, so there is nothing to calibrate.\n'])
  })

  it('without the named judge are an error with a suggestion', async () => {
    const { code, stderr } = await assay(['calibrate', '--judge', 'greder'], world)
    expect([code, stderr]).toEqual([2, 'The run was not judged by greder.\ndid you mean `grader`?\n'])
  })

  it('that do not exist are an error', async () => {
    const { code, stderr } = await assay(['calibrate', 'nope'], world)
    expect(code).toBe(2)
    expect(stderr).toContain('Run nope not found')
  })
})

describe('several judges, targets and trials', () => {
  it('have figures for each set of judges, and rates for each target', async () => {
    const both = await worldFolder({ answers: 40, targets: ['one', 'two'], judges: ['grader', 'critic'] })
    const all = await evalWorld(both, ['--target', 'one', '--target', 'two', '--trials', '2'])
    const own = all.filter(({ target }) => target === 'one').slice(0, 60)
    writeLabels(
      both.cwd,
      own.map(result => labelOf(result)),
    )
    const { code, stdout } = await assay(['calibrate'], both)
    expect(code).toBe(0)
    expect(stdout).toContain('world, judged by grader\n')
    expect(stdout).toContain('world, judged by critic\n')
    expect(stdout.match(/^(one|two) +\d/gm)).toHaveLength(4)
    expect(stdout).toContain('attempts of the same test are not independent')
    expect(readdirSync(join(both.cwd, '.assay/calibration'))).toHaveLength(2)
    const single = await assay(['calibrate', '--judge', 'critic'], both)
    expect(single.stdout).toContain('world, judged by critic\n')
    expect(single.stdout).not.toContain('grader')
  })
})
