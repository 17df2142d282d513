import { describe, expect, it } from 'vitest'
import { type Check, nestedChecks } from '../../../src/model/check.ts'
import { PASS_MARK } from '../../../src/model/verdict.ts'
import { expectationsOf } from '../../../src/report/skill-creator/expectations.ts'
import { gradeTest, loadTest } from '../../support/checks.ts'
import { judgedBy } from '../../support/judges/scripted-judge.ts'
import { checkResult, triggerResult } from '../../support/recorded-run.ts'

const ANSWER = { text: 'yes', output_messages: [{ role: 'assistant', content: 'yes' }] }

async function expectations(checks: readonly string[]) {
  return expectationsOf(await gradeTest(await loadTest(checks), ANSWER))
}

describe('the statements', () => {
  const CHECKS = [
    '{type: contains, value: "yes"}',
    '{type: contains, value: "no", negate: true}',
    '{type: composite, evaluators: [{type: contains, value: "yes"}, {type: regex, value: ^y}]}',
    '{type: composite, negate: true, evaluators: [{type: contains, value: "no"}, {type: contains, value: "yes", negate: true}]}',
    '{type: contains_all, value: ["yes", "y"], required: 0.4}',
    '{type: is_json, negate: true}',
    '{type: trigger_judge, skill: csv, should_trigger: false}',
    '{type: composite, evaluators: [{type: trigger_judge, skill: csv, should_trigger: false}, {type: contains, value: e}]}',
  ]

  /** Returns the statements of a check and its nested checks, inverted as a whole if negated. */
  const sentences = (check: Check, turned = false): readonly string[] => {
    if (check.evaluator.trigger) return []
    const inside = nestedChecks(check)
    if (inside.length > 0) return inside.flatMap(child => sentences(child, turned !== check.negate))
    return check.evaluator.sentences.write(check).map(sentence => (turned ? `Not the case: ${sentence}` : sentence))
  }

  it('are those of the checks, and all of them pass', async () => {
    const test = await loadTest(CHECKS)
    const statements = expectationsOf(await gradeTest(test, ANSWER))
    expect(statements.map(({ text }) => text)).toEqual(test.checks.flatMap(check => sentences(check)))
    expect(statements).toHaveLength(9)
    expect(statements.filter(({ passed }) => !passed)).toEqual([])
    expect(statements.map(({ text }) => text)).toContain("Not the case: Output contains 'no'")
  })

  it('all fail if each check states the contrary', async () => {
    const statements = await expectations([
      '{type: contains, value: "yes", negate: true}',
      '{type: contains, value: "no"}',
      '{type: composite, negate: true, evaluators: [{type: contains, value: "yes"}, {type: regex, value: ^y}]}',
      '{type: composite, evaluators: [{type: contains, value: "no"}, {type: contains, value: "yes", negate: true}]}',
      '{type: contains_all, value: ["yes", "y"], negate: true}',
      '{type: is_json}',
    ])
    expect(statements.map(({ passed }) => passed)).toEqual(Array.from({ length: 8 }, () => false))
  })

  it('are unchanged if negated twice', async () => {
    const inside = '{type: composite, negate: true, evaluators: [{type: equals, value: "yes"}]}'
    expect(await expectations([`{type: composite, negate: true, evaluators: [${inside}]}`])).toEqual([
      { text: 'Output exactly equals: yes', passed: true, evidence: 'equals "yes"' },
    ])
  })
})

describe('the evidence', () => {
  it.each<[check: string, passed: boolean, evidence: string]>([
    ['{type: contains, value: "yes"}', true, 'contains "yes"'],
    ['{type: contains, value: "no"}', false, 'does not contain "no"'],
    ['{type: contains_all, value: ["no", "yes"]}', false, 'does not contain "no"; contains "yes"'],
    ['{type: contains_any, value: ["no", "yes"]}', true, 'contains "yes"; does not contain "no"'],
    ['{type: composite, negate: true, evaluators: [{type: contains, value: "no"}]}', true, 'does not contain "no"'],
    ['{type: composite, negate: true, evaluators: [{type: contains, value: "yes"}]}', false, 'contains "yes"'],
  ])('of %s', async (check, passed, evidence) => {
    expect(await expectations([check])).toMatchObject([{ passed, evidence }])
  })

  it('is the score if there is no text, and starts with the reasoning if there is one', () => {
    expect(expectationsOf([checkResult({ score: 0.5 })])).toMatchObject([{ passed: false, evidence: 'score 0.5' }])
    expect(expectationsOf([checkResult({ reasoning: 'Because.', hits: ['h'], misses: ['m'] })])).toMatchObject([
      { passed: true, evidence: 'Because.; h; m' },
    ])
  })
})

describe('items of a judge', () => {
  const RUBRICS =
    'type: rubrics, rubrics: [{id: name, outcome: Says the name}, {id: kind, score_ranges: {0: Is rude, 10: Is kind}}]'
  const REPLY = JSON.stringify({
    items: [
      { id: 'name', satisfied: true, reasoning: 'It is Alice.' },
      { id: 'kind', score: 3, reasoning: '' },
    ],
  })
  const ofJudged = async (check: string) => expectationsOf((await judgedBy([check], [REPLY])).results)

  it('are one statement each', async () => {
    expect(await ofJudged(`{${RUBRICS}}`)).toEqual([
      { text: 'Says the name', passed: true, evidence: 'It is Alice.' },
      { text: 'Is kind', passed: false, evidence: '3 of 10' },
    ])
  })

  it('are inverted if the check is negated', async () => {
    expect(await ofJudged(`{${RUBRICS}, negate: true}`)).toEqual([
      { text: 'Not the case: Says the name', passed: false, evidence: 'It is Alice.' },
      { text: 'Not the case: Is kind', passed: true, evidence: '3 of 10' },
    ])
  })
})

describe('checks that are not judged give no statement', () => {
  it('skips checks behind a closed gate', async () => {
    const gate = '{type: composite, aggregator: {type: safety_gate, required: [g]}, evaluators: '
    const statements = await expectations([
      `${gate}[{name: g, type: contains, value: "no"}, {type: contains, value: "yes"}]}`,
    ])
    expect(statements).toEqual([{ text: "Output contains 'no'", passed: false, evidence: 'does not contain "no"' }])
  })

  it('skips trigger checks at any depth', () => {
    const inside = checkResult({ evaluator_results: [triggerResult('csv', true, true)] })
    expect(expectationsOf([triggerResult('csv', true, false), inside])).toEqual([])
  })
})

it('grades a check by its own threshold and its contrary by the default one', () => {
  const half = checkResult({ score: 0.5, required: 0.4, passed: true })
  expect(expectationsOf([half])).toMatchObject([{ passed: true }])
  const turned = (score: number) =>
    expectationsOf([checkResult({ negate: true, evaluator_results: [checkResult({ score })] })])
  expect(turned(1 - PASS_MARK)).toMatchObject([{ passed: true }])
  expect(turned(0.5)).toMatchObject([{ passed: false }])
})

it('uses the name of a check that has no text', () => {
  expect(expectationsOf([checkResult({ text: '', name: 'mine' })])).toMatchObject([{ text: 'mine' }])
})
