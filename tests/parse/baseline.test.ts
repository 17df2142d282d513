import { describe, expect, it } from 'vitest'
import { parseBaseline } from '../../src/parse/baseline.ts'
import { Diagnostics } from '../../src/parse/diagnostics.ts'
import { Source } from '../../src/parse/yaml/source.ts'
import { baselineWith, savedTest } from '../support/baselines.ts'
import { cpuTimeOf } from '../support/cpu-time.ts'
import { hugeSize } from '../support/random-examples.ts'

/** The diagnostics of a text: `code line message`. */
function problemsOf(text: string): string[] {
  const diagnostics = new Diagnostics()
  const source = new Source('main.json', text)
  diagnostics.registerSource(source)
  const baseline = parseBaseline(source, diagnostics)
  const found = diagnostics.sorted()
  expect(baseline === undefined).toBe(found.length > 0)
  return found.map(({ code, line }) => `${code} ${line}`)
}

const textOf = (test: object, more: object = {}) =>
  JSON.stringify({ ...baselineWith([]), tests: [{ ...savedTest(), ...test }], ...more }, null, 1)

describe('parseBaseline', () => {
  it('accepts what was saved', () => {
    expect(problemsOf(textOf({}))).toEqual([])
  })

  it.each<[what: string, test: object, code: string]>([
    ['a negative count', { passed: -1 }, 'out-of-range'],
    ['no attempts', { attempts: 0, passed: 0, scores: [] }, 'out-of-range'],
    ['a broken count', { attempts: 1.5 }, 'wrong-type'],
    ['a count beyond all integers', { attempts: 1e300 }, 'out-of-range'],
    ['more passes than attempts', { passed: 2 }, 'out-of-range'],
    ['more scores than attempts', { scores: [1, 1] }, 'out-of-range'],
    ['a score above 1', { score: 1.5 }, 'out-of-range'],
    ['a score that is a text', { scores: ['1'] }, 'wrong-type'],
    ['an unknown verdict', { verdict: 'great' }, 'bad-choice'],
    ['an id that is a list', { test_id: ['a'] }, 'wrong-type'],
    ['an id that is null', { test_id: null }, 'wrong-type'],
    ['an unknown field', { more: true }, 'unknown-key'],
    ['a missing field', { target_hash: undefined }, 'missing-key'],
  ])('rejects %s with its line', (_, test, code) => {
    const problems = problemsOf(textOf(test))
    expect(problems.length).toBeGreaterThan(0)
    for (const problem of problems) expect(Number(problem.split(' ')[1])).toBeGreaterThan(5)
    expect(problems.map(problem => problem.split(' ')[0])).toContain(code)
  })

  it.each([
    ['', 'nothing'],
    ['null', 'null'],
    ['[]', 'a list'],
    ['{}', 'an empty mapping'],
    ['{"assay_baseline": 1}', 'only a version'],
    ['{"assay_baseline": "1"}', 'a version that is a text'],
    ['{"assay_baseline": 99999}', 'a later version'],
    [textOf({}).slice(0, -20), 'a file that is cut off'],
    [textOf({}).replace('"passed": 1', '"passed": NaN'), 'a number that is not in JSON'],
    [`${textOf({})}\n{}`, 'two documents'],
    [`${textOf({})},`, 'a comma too many'],
    ['\u0000\u0001\u0002', 'control characters'],
    [`{"assay_baseline": 1, "tests": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'deep nesting'],
    [textOf({ test_id: '__proto__' }).replace('"assay_baseline"', '"__proto__": {}, "assay_baseline"'), 'a prototype'],
  ])('rejects without a crash: %#', text => {
    expect(problemsOf(text).length).toBeGreaterThan(0)
  })

  it('takes the ids of an object for plain names', () => {
    expect(problemsOf(textOf({ test_id: '__proto__', suite: 'constructor', target: 'toString' }))).toEqual([])
    expect(problemsOf(textOf({}, { files: JSON.parse('{"__proto__": "hash"}') }))).toEqual([])
  })

  it('does not take a marker in a text for a conflict', () => {
    expect(problemsOf(textOf({ test_id: '\n<<<<<<< HEAD\n' }))).toEqual([])
  })

  it('reads 10 MB in a few seconds, valid or not', async () => {
    const tests = Array.from({ length: hugeSize(42_000) }, (_, index) => savedTest({ test_id: `test-${index}` }))
    const text = JSON.stringify(baselineWith(tests), null, 0)
    expect(text.length).toBeGreaterThan(hugeSize(10_000_000))
    const time = await cpuTimeOf(() => {
      expect(problemsOf(text)).toEqual([])
      expect(problemsOf(text.replace('"passed":1', '"passed":-1')).length).toBeGreaterThan(0)
    })
    expect(time).toBeLessThan(60_000)
  })
})
