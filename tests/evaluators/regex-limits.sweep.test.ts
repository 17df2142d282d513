import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { gradeChecks } from '../support/checks.ts'
import { assayWithTimeout, mockTargets, recordsOf, suiteFolder, verdictsOf } from '../support/runs.ts'

const { test: matches } = nodeHost().patterns
const ALMOST = `${'a'.repeat(40)}b`
const IS_FIRST = { type: 'equals', value: 'first' }

describe('patterns with catastrophic backtracking', () => {
  // The linear engine decides these patterns correctly.
  it.each<[pattern: string, text: string, found: boolean]>([
    ['(a+)+$', ALMOST, false],
    ['(a+)+b$', ALMOST, true],
    ['(a|aa)+$', ALMOST, false],
    ['^(a|aa)+b$', ALMOST, true],
    ['(x+x+)+y', 'x'.repeat(60), false],
    ['(x+x+)+y', `${'x'.repeat(60)}y`, true],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60), false],
    ['(?:a|b|ab)*c', 'ab'.repeat(40), false],
    ['^(?:.|\\n)*end$', 'line\n'.repeat(500), false],
    ['^(?:.|\\n)*end$', `${'line\n'.repeat(500)}end`, true],
  ])('%s is matched', (pattern, text, found) => {
    expect(matches(pattern, '', text)).toBe(found)
  })

  it.each<[pattern: string, flags: string, text: string, found: boolean]>([
    ['(a+)+$', 'i', ALMOST, false],
    ['(a+)+$', 'ims', ALMOST, false],
    ['(?=(a+)+$)a', '', ALMOST, false],
    ['(?!(a+)+b)(a+)+$', '', ALMOST, false],
    ['^(a+)+\\1$', '', ALMOST, false],
    ['^(?<x>a+)+\\k<x>$', '', ALMOST, false],
    ['(a{1,30}){1,30}$', '', ALMOST, false],
    ['(.*?,){29}P', '', `${Array.from({ length: 40 }, (_, index) => index).join(',')}`, false],
    [`${'a?'.repeat(32)}${'a'.repeat(32)}$`, 'i', 'a'.repeat(31), false],
  ])('%s with flags %j is matched or times out', (pattern, flags, text, found) => {
    expect([undefined, found]).toContain(matches(pattern, flags, text))
  })

  it('are an error after the timeout', async () => {
    const [result] = await gradeChecks(['{type: regex, value: (a+)+$, flags: i}'], { text: ALMOST })
    const message = 'the pattern took more than a second: (a+)+$'
    expect(result).toMatchObject({ score: null, error: { code: 'regex-too-slow', message } })
  })

  it('matches again after a timeout', () => {
    expect(matches('(a+)+c', 'i', ALMOST)).not.toBe(true)
    expect(matches('(a+)+b', 'i', ALMOST)).toBe(true)
    expect(matches('a+b', 'i', ALMOST)).toBe(true)
  })
})

describe('in a run', () => {
  const checks: [id: string, check: object, found: boolean][] = [
    ['plain', { value: '(a+)+$' }, false],
    ['ignoring-case', { value: '(a+)+$', flags: 'i' }, false],
    ['lookahead', { value: '(?=(a+)+$)a' }, false],
    ['back-reference', { value: '^(a+)+\\1$' }, false],
    ['negated', { value: '(a+)+$', flags: 'i', negate: true }, true],
    ['ordinary', { value: '^A+B$', flags: 'i' }, true],
  ]
  const tests = checks.map(([id, check]) => ({
    id,
    criteria: 'Matches',
    input: 'Go',
    assert: [{ type: 'regex', ...check }],
  }))

  it('continues with other tests; the verdict is an error or correct', async () => {
    const cwd = suiteFolder({ name: 'slow', tests }, mockTargets(['Go', ALMOST]))
    const { code, stderr } = await assayWithTimeout(['eval'], cwd)
    const results = recordsOf(cwd)
    expect(results).toHaveLength(checks.length)
    for (const { test_id, verdict, score, error, evaluator_results } of results) {
      const found = checks.find(([id]) => id === test_id)?.[2]
      const right = { verdict: found ? 'pass' : 'fail', score: found ? 1 : 0, code: undefined }
      const given = { verdict, score, code: error?.code }
      expect([right, { verdict: 'error', score: null, code: 'regex-too-slow' }]).toContainEqual(given)
      // An error has no score, even with `negate`.
      if (error) expect(evaluator_results).toMatchObject([{ score: null, passed: false, hits: [], misses: [] }])
    }
    expect(verdictsOf(results)['ordinary']).toBe('pass')
    const hasErrors = results.some(({ verdict }) => verdict === 'error')
    expect(code).toBe(hasErrors ? 3 : 1)
    if (hasErrors) expect(stderr).toContain('regex-too-slow: the pattern took more than a second')
  })

  it('a mock target does not try the next pattern after a timeout', async () => {
    const suite = { name: 'mock', tests: [{ id: 'a', criteria: 'Is told', input: ALMOST, assert: [IS_FIRST] }] }
    const cwd = suiteFolder(suite, mockTargets(['^(a+)+\\1$|b$', 'first'], ['b$', 'second']))
    await assayWithTimeout(['eval'], cwd)
    // The first pattern would match, but times out: the answer is unknown.
    expect(['first', null]).toContain(recordsOf(cwd)[0]?.answer)
  })

  // Backtracking takes quadratic time: half an hour for this answer.
  it.each(['\\s+$', '(\\s+)$'])('%s on a long answer does not stop the run', async value => {
    const suite = {
      name: 'long',
      tests: [
        { id: 'long', criteria: 'Ends in blanks', input: 'long', assert: [{ type: 'regex', value }] },
        { id: 'fine', criteria: 'Says yes', input: 'fine', assert: [{ type: 'equals', value: 'yes' }] },
      ],
    }
    const cwd = suiteFolder(suite, mockTargets(['long', `${' '.repeat(2_000_000)}x`], ['fine', 'yes']))
    const { code } = await assayWithTimeout(['eval'], cwd)
    expect([1, 3]).toContain(code)
    expect(verdictsOf(recordsOf(cwd))).toEqual({ long: code === 1 ? 'fail' : 'error', fine: 'pass' })
  })
})

describe('ordinary patterns', () => {
  const { pattern } = fc.letrec(tie => ({
    pattern: fc
      .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('atom'), tie('repeated')), { maxLength: 4 })
      .map(parts => parts.join('')),
    atom: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b', 'A', '1', '.', '\\d', '\\w', '\\b', '^', '$', '[ab]', '[^a]', '\\n', '\\s', 'é', 'Σ'),
      tie('group'),
    ),
    group: fc
      .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!'), tie('pattern'), fc.constantFrom('', '|a', '|'))
      .map(([open, inner, choice]) => `${open}${inner}${choice})`),
    repeated: fc
      .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '{1,2}', '*?', '{2}', '\\1'))
      .map(([atom, repeat]) => `${atom}${repeat}`),
  })) as { pattern: fc.Arbitrary<string> }
  const flags = fc.subarray(['i', 'm', 's', 'u']).map(chosen => chosen.join(''))
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', 'B', '1', ' ', '\n', 'é', 'σ', 'ς', '👍'),
    maxLength: 12,
  })

  /** The result of plain JavaScript; undefined if it rejects the pattern. */
  function plainly(pattern: string, flags: string, text: string): boolean | undefined {
    try {
      return new RegExp(pattern, flags).test(text)
    } catch {
      return undefined
    }
  }

  it('match as plain JavaScript does', () => {
    let found = 0
    let compared = 0
    fc.assert(
      fc.property(pattern, flags, text, (pattern, flags, text) => {
        const expected = plainly(pattern, flags, text)
        fc.pre(expected !== undefined)
        compared++
        if (expected) found++
        expect(matches(pattern, flags, text)).toBe(expected)
        expect(matches(pattern, flags, text)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
    // Both outcomes occurred.
    expect(found).toBeGreaterThan(100)
    expect(compared - found).toBeGreaterThan(100)
  })

  it('also on texts that are too long for the fast path', () => {
    const long = fc.string({ unit: fc.constantFrom('a', 'b', '1', '\n'), minLength: 300, maxLength: 400 })
    const linear = fc
      .array(fc.constantFrom('a', 'b', '.', '\\d', '(?:ab|b)', '(a|1)*', '[ab]+', '(?:\\n|1)?', '^', '$'), {
        maxLength: 5,
      })
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(linear, fc.subarray(['m', 's']), long, (pattern, chosen, text) => {
        const flags = chosen.join('')
        expect(matches(pattern, flags, text)).toBe(new RegExp(pattern, flags).test(text))
      }),
      { numRuns: 300 },
    )
  })
})
