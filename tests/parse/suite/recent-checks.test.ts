import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { nestedChecks } from '../../../src/model/check.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { folderWith } from '../../support/program.ts'

/** Loads a suite with one test for each list of checks. */
async function load(lists: readonly string[], file: 'EVAL.yaml' | 'cases.jsonl' = 'EVAL.yaml') {
  const tests = lists.map((assert, index) => `{"id": "t${index}", "criteria": "c", "input": "i", "assert": ${assert}}`)
  const text =
    file === 'EVAL.yaml' ? `name: a\ntests:\n${tests.map(test => `  - ${test}\n`).join('')}` : tests.join('\n')
  const folder = folderWith({ [file]: text })
  const { suites, diagnostics } = await loadFiles([join(folder, file)], { host: nodeHost(folder), evaluators })
  return { checks: suites.flatMap(suite => suite.tests.map(test => test.checks)), diagnostics }
}

describe('checks that tests repeat', () => {
  it.each(['EVAL.yaml', 'cases.jsonl'] as const)(
    'share their config and have their own locations in %s',
    async file => {
      const repeated = '[{"type": "contains", "value": "x"}, {"type": "regex", "value": "y", "weight": 0.5}]'
      const { checks } = await load([repeated, `[{"type": "is_json"}, ${repeated.slice(1)}`], file)
      const [first = [], second = []] = checks
      expect(second[2]?.config).toBe(first[1]?.config)
      expect(second.slice(1).map(({ at, ...check }) => check)).toEqual(first.map(({ at, ...check }) => check))
      const [one, other] = [first, second].map(list => list.map(({ at }) => at.location()))
      const line = file === 'EVAL.yaml' ? 3 : 1
      expect(one?.map(place => place.line)).toEqual([line, line])
      expect(other?.map(place => place.line)).toEqual([line + 1, line + 1, line + 1])
      expect(other?.[1]?.column).toBeGreaterThan(one?.[0]?.column ?? Number.NaN)
    },
  )

  it('keep numbers as each of them is written', async () => {
    const { checks } = await load(['[{"type": "contains", "value": 1}]', '[{"type": "contains", "value": 1.0}]'])
    expect(checks.map(([check]) => check?.config)).toEqual([{ value: '1' }, { value: '1.0' }])
  })

  it('are reported at every location', async () => {
    const bad = '[{"type": "regex", "value": "("}]'
    const unused = '[{"type": "contains", "value": "x", "config": {"a": 1}}]'
    const { diagnostics } = await load([bad, unused, bad, unused])
    expect(diagnostics.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '3 bad-regex',
      '4 unused-config',
      '5 bad-regex',
      '6 unused-config',
    ])
  })

  it('are loaded again if a field, its value or the order of keys differs', async () => {
    const { checks } = await load([
      '[{"type": "contains", "value": "x"}]',
      '[{"type": "contains", "value": "x", "negate": true}]',
      '[{"type": "contains", "value": "y"}]',
      '[{"value": "x", "type": "contains"}]',
    ])
    expect(checks.map(([check]) => [check?.negate, check?.config])).toEqual([
      [false, { value: 'x' }],
      [true, { value: 'x' }],
      [false, { value: 'y' }],
      [false, { value: 'x' }],
    ])
  })

  it('have checks inside of them at their own locations', async () => {
    const composite = '[{"type": "composite", "evaluators": [{"type": "contains", "value": "x"}]}]'
    const { checks } = await load([composite, composite])
    const inner = checks.flat().flatMap(nestedChecks)
    expect(inner.map(({ at }) => at.line())).toEqual([3, 4])
  })

  it('report integers beyond 2^53 that equal a number that is written otherwise', async () => {
    const { diagnostics } = await load([
      '[{"type": "latency", "threshold": 1e20}]',
      '[{"type": "latency", "threshold": 100000000000000000000}]',
    ])
    expect(diagnostics.map(({ code, line }) => `${line} ${code}`)).toContain('4 long-integer')
  })
})
