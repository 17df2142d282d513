import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import type { Result } from '../../support/program.ts'
import { latestId, recordsOf, suiteFolder } from '../../support/runs.ts'

const used = (skill: string) => ({ tool_calls: [{ tool: 'Skill', input: { skill } }] })
const trigger = (skill: string, more: object = {}) => ({ type: 'trigger_judge', skill, ...more })
const test = (id: string, ...assert: object[]) => ({ id, criteria: 'Right tool', input: id, assert })

const SUITE = {
  name: 'skills',
  execution: { targets: ['with', 'without'] },
  tests: [
    test('sales', trigger('csv')),
    test('months', { type: 'composite', evaluators: [trigger('csv'), trigger('pdf', { negate: true })] }),
    test('time', trigger('csv', { should_trigger: false })),
    test('weather', trigger('csv', { negate: true })),
    test('silent', trigger('csv')),
  ],
}

/** `silent` has no transcript, so the skills that it used are unknown. */
const answers = (...responses: object[]) => [
  ...responses,
  { pattern: 'silent', response: 'Done.' },
  { pattern: '', response: 'Done.', tool_calls: [] },
]

const TARGETS = JSON.stringify({
  targets: [
    {
      name: 'with',
      provider: 'mock',
      responses: answers(
        { pattern: 'sales|months', response: 'Done.', ...used('csv') },
        { pattern: 'weather', response: 'Done.', ...used('csv') },
      ),
    },
    { name: 'without', provider: 'mock', responses: answers() },
  ],
})

/** The lines of the summary about skills. */
function skillLines({ stderr }: Result): string[] {
  return stderr.split('\n').filter(line => /^\S+ on \S+: |: trigger rate |harness suspect/.test(line))
}

describe('trigger metrics', () => {
  let parts: Result[]
  let merged: Result
  const cwd = suiteFolder(SUITE, TARGETS)

  beforeAll(async () => {
    const ids: string[] = []
    parts = []
    for (const shard of ['1/2', '2/2']) {
      parts.push(await assay(['eval', '--shard', shard, '--trials', '2'], { cwd }))
      ids.push(latestId(cwd))
    }
    merged = await assay(['merge', ...ids, '-o', 'merged.json'], { cwd })
  })

  it('are printed per skill and target', () => {
    expect(skillLines(merged)).toEqual([
      'csv on with: 6 of 8 answers to 5 queries correct, precision 0.67 [0.06–0.98], recall 1.00 [0.01–1.00], F1 0.80 [0.12–0.99], 2 not judged',
      '  pass sales: trigger rate 1.00 [0.34–1.00] (2 of 2), should trigger',
      '  pass months: trigger rate 1.00 [0.34–1.00] (2 of 2), should trigger',
      '  pass time: trigger rate 0.00 [0.00–0.66] (0 of 2), should not trigger',
      '  fail weather: trigger rate 1.00 [0.34–1.00] (2 of 2), should not trigger',
      '  not judged silent: trigger rate - (0 of 0), should trigger',
      'csv on without: 4 of 8 answers to 5 queries correct, precision -, recall 0.00 [0.00–0.99], F1 0.00 [0.00–0.99], 2 not judged',
      expect.stringMatching(/^ {2}harness suspect: the skill was not used in any of the 4 answers that should use it/),
      'pdf on with: 2 of 2 answers to 1 query correct, precision -, recall -, F1 -',
      '  pass months: trigger rate 0.00 [0.00–0.66] (0 of 2), should not trigger',
      'pdf on without: 2 of 2 answers to 1 query correct, precision -, recall -, F1 -',
      '  pass months: trigger rate 0.00 [0.00–0.66] (0 of 2), should not trigger',
    ])
  })

  it('are printed at the end of each run', () => {
    for (const part of parts) expect(skillLines(part).some(line => /^csv on with: \d of \d/.test(line))).toBe(true)
  })

  it('are complete in JSON and consistent with the records', () => {
    const { triggers } = JSON.parse(readFileSync(join(cwd, 'merged.json'), 'utf8')).summary
    expect(triggers).toMatchObject([
      { skill: 'csv', target: 'with', tp: 4, fp: 2, tn: 2, fn: 0, unjudged: 2, harness_suspect: false },
      { skill: 'csv', target: 'without', tp: 0, fp: 0, tn: 4, fn: 4, unjudged: 2, harness_suspect: true },
      { skill: 'pdf', target: 'with', tp: 0, fp: 0, tn: 2, fn: 0 },
      { skill: 'pdf', target: 'without', tp: 0, fp: 0, tn: 2, fn: 0 },
    ])
    expect(triggers[0].queries.map(({ test_id, rate }: { test_id: string; rate: number }) => [test_id, rate])).toEqual([
      ['sales', 1],
      ['months', 1],
      ['time', 0],
      ['weather', 1],
      ['silent', null],
    ])
    const recorded = recordsOf(cwd).flatMap(({ evaluator_results: checks }) =>
      checks.flatMap(({ trigger, evaluator_results: inside = [] }) => [
        trigger,
        ...inside.map(({ trigger }) => trigger),
      ]),
    )
    expect(recorded.filter(trigger => trigger?.skill === 'csv' && trigger.should_trigger)).toHaveLength(12)
    expect(recorded.filter(trigger => trigger?.skill === 'pdf' && !trigger.should_trigger)).toHaveLength(4)
  })
})
