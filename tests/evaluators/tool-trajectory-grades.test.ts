import { describe, expect, it } from 'vitest'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { answerWith, bothWays, expectScore, trajectoryCheck } from './trajectories.ts'

type Scored = [check: string, calls: string, score: number]

const anyOrder: Scored[] = [
  ['(a b)', 'a b', 1],
  ['(a b)', 'b a', 1],
  ['any_order(a b)', 'b a', 1],
  ['(a b)', 'x b y a z', 1],
  ['(a b)', 'a', 1 / 2],
  ['(a b c)', 'c x', 1 / 3],
  ['(a b)', 'x y', 0],
  ['(a b)', '', 0],
  ['(a)', 'A', 0],
  ['(a)', 'ab', 0],
  ['(a)', 'mcp__a', 0],
  ['(a a)', 'a', 1 / 2],
  ['(a a)', 'a b a', 1],
  ['(a a b)', 'b a', 2 / 3],
  ['(a a a)', 'a a', 2 / 3],
  ['(a)', 'a a a', 1],
  ['()', 'a b', 1],
  ['()', '', 1],
]

const inOrder: Scored[] = [
  ['in_order(a b c)', 'a b c', 1],
  ['in_order(a b c)', 'x a y b z c', 1],
  ['in_order(a b c)', 'a c b', 0],
  ['in_order(a b)', 'b a', 0],
  ['in_order(a b)', 'b a b', 1],
  ['in_order(a b c)', 'c b a', 0],
  ['in_order(a b a)', 'a a b', 0],
  ['in_order(a a b)', 'a b a', 0],
  ['in_order(a b a)', 'a b a', 1],
  ['in_order(a b)', 'a', 1 / 2],
  ['in_order(a b c)', 'c', 1 / 3],
  ['in_order(a b c)', 'b c', 2 / 3],
  // The longest match counts, not the first one.
  ['in_order(a b c d)', 'c a b', 2 / 4],
  ['in_order(a b c d)', 'd b c', 2 / 4],
  ['in_order(a b c)', 'b a', 1 / 3],
  ['in_order(a a)', 'a', 1 / 2],
  ['in_order(a b)', '', 0],
  ['in_order(a b)', 'x', 0],
  ['in_order()', 'a', 1],
  ['in_order()', '', 1],
]

const exact: Scored[] = [
  ['exact(a b)', 'a b', 1],
  ['exact(a b)', 'b a', 0],
  ['exact(a b)', 'a', 0],
  ['exact(a b)', 'a b c', 0],
  ['exact(a b)', 'x a b', 0],
  ['exact(a b)', 'a x b', 0],
  ['exact(a)', 'a a', 0],
  ['exact(a a)', 'a a', 1],
  ['exact(a)', '', 0],
  ['exact()', '', 1],
  ['exact()', 'a', 0],
]

const supersetAndSubset: Scored[] = [
  ['superset(a b)', 'b a', 1],
  ['superset(a b)', 'x a y b', 1],
  ['superset(a b)', 'a x', 1 / 2],
  ['superset(a b c d)', 'd', 1 / 4],
  ['superset(a a)', 'a', 1 / 2],
  ['superset(a)', '', 0],
  ['superset()', 'a', 1],
  ['superset()', '', 1],
  ['subset(a b)', 'a', 1],
  ['subset(a b)', 'b a', 1],
  ['subset(a b)', 'a x', 1 / 2],
  ['subset(a)', 'a x y', 1 / 3],
  ['subset(a b)', 'a b x a', 3 / 4],
  ['subset(a)', 'x', 0],
  ['subset(a)', '', 1],
  ['subset()', '', 1],
  ['subset()', 'a', 0],
]

const counted: Scored[] = [
  ['minimums: {a: 2}', 'a a', 1],
  ['minimums: {a: 2}', 'a a a', 1],
  ['minimums: {a: 2}', 'a', 0],
  ['minimums: {a: 0}', '', 1],
  ['minimums: {a: 1, b: 1}', 'a', 1 / 2],
  // Each key counts as one entry beside the expected calls, whatever its number.
  ['(a b); minimums: {c: 5}', 'a b', 2 / 3],
  ['(a b); minimums: {c: 1}', 'a c', 2 / 3],
  ['(a); minimums: {a: 2}', 'a', 1 / 2],
  ['(a a); minimums: {a: 2}', 'a a', 1],
  ['(); minimums: {a: 1}', '', 0],
  ['maximums: {a: 2}', 'a a', 1],
  ['maximums: {a: 2}', 'a a a', 0],
  ['maximums: {a: 0}', 'a', 0],
  ['maximums: {a: 0}', 'b', 1],
  ['(a); maximums: {a: 1}', 'a a', 0],
  ['(a); maximums: {b: 1}', 'a b', 1],
  ['(a b); maximums: {a: 1}', 'a', 1 / 2],
  ['forbidden: [x]', '', 1],
  ['forbidden: [x]', 'a', 1],
  ['forbidden: [x]', 'X', 1],
  ['forbidden: [x, y]', 'a y', 0],
  ['(a); forbidden: [x]', 'a x', 0],
  ['(a b); forbidden: [x]', 'a', 1 / 2],
  ['in_order(a b); forbidden: [x]', 'a x b', 0],
  ['superset(a); maximums: {b: 0}', 'a b', 0],
  ['subset(a b); maximums: {b: 0}', 'a b', 0],
  ['in_order(a b); maximums: {a: 1}', 'a b a', 0],
  ['exact(a); maximums: {a: 0}', 'a', 0],
  ['(a); minimums: {a: 1}; maximums: {a: 1}; forbidden: [x]', 'a', 1],
]

describe.each([
  ['any_order, the default', anyOrder],
  ['in_order', inOrder],
  ['exact', exact],
  ['superset and subset', supersetAndSubset],
  ['minimums, maximums and forbidden', counted],
])('%s', (_, cases) => {
  it.each(cases)('%s on [%s]: %d', expectScore)
})

describe('hits and misses', () => {
  it.each<[check: string, calls: string, hits: string[], misses: string[]]>([
    ['(a b)', 'b a', ['a was called', 'b was called'], []],
    ['(a b)', 'a c', ['a was called'], ['b was not called', 'expected: a, b, –; called: a, –, c']],
    ['(a)', '', [], ['a was not called', 'expected: a; called: –']],
    [
      '(a a)',
      'a',
      ['a was called'],
      [
        'a was called 1 time, expected one more call',
        expect.stringMatching(/^expected: a, a; called: (a, –|–, a)$/) as unknown as string,
      ],
    ],
    [
      'in_order(a b)',
      'x b',
      ['b was called'],
      ['a was not called', expect.stringMatching(/^expected: .*; called: .*$/) as unknown as string],
    ],
    ['exact(a)', 'a b', ['a was called'], ['b was called, which is not expected', 'expected: a, –; called: a, b']],
    ['exact()', 'a', [], ['a was called, which is not expected', 'expected: –; called: a']],
    ['exact(a b)', 'a', ['a was called'], ['b was not called', 'expected: a, b; called: a, –']],
    ['subset(a)', 'a x', ['a was called'], ['x was called, which is not expected', 'expected: a, –; called: a, x']],
    ['minimums: {a: 2}', 'a', [], ['a was called 1 time, expected at least 2']],
    ['minimums: {a: 2}', 'a a', ['a was called 2 times, expected at least 2'], []],
    ['maximums: {a: 1}', 'a a', [], ['a was called 2 times, expected at most 1']],
    ['maximums: {a: 1}', '', ['a was called 0 times, expected at most 1'], []],
    ['forbidden: [x, y]', 'y', ['x was not called'], ['y was called, which is forbidden']],
    ['(a:10)', 'a:10', ['a was called', 'a took 10 ms, within 10 ms'], []],
    ['(a:10)', 'a:11', ['a was called'], ['a took 11 ms, above 10 ms']],
  ] as [string, string, string[], string[]][])('%s on [%s]', async (check, calls, hits, misses) => {
    expect(await gradeChecks([trajectoryCheck(check)], answerWith(calls))).toMatchObject([{ hits, misses }])
  })

  it('reports the wrong order with both sequences', async () => {
    const [result] = await gradeChecks([trajectoryCheck('in_order(a b)')], answerWith('b a'))
    expect(result?.misses).toContain('all expected tools were called, but not in this order')
    expect(result?.misses.at(-1)).toMatch(/^expected: (–, a, b; called: b, a, –|a, b, –; called: –, b, a)$/)
  })

  it.each(['in_order(a b)', 'in_order(a b c)', 'exact(a b)'])(
    'does not report a tool called in another order as missing: %s',
    async check => {
      const [result] = await gradeChecks([trajectoryCheck(check)], answerWith('b a'))
      expect(result?.misses).not.toContain('a was not called')
      expect(result?.misses).not.toContain('b was not called')
    },
  )

  it('truncates long sequences', async () => {
    const [result] = await gradeChecks([trajectoryCheck('exact(a)')], answerWith(`a${' b'.repeat(40)}`))
    expect(result?.misses.at(-1)).toBe(
      `expected: a${', –'.repeat(11)}, … 29 more; called: a${', b'.repeat(11)}, … 29 more`,
    )
  })
})

describe('without a transcript', () => {
  it.each([
    'any_order(a)',
    'in_order(a)',
    'exact()',
    'subset(a)',
    'superset(a)',
    'forbidden: [a]',
    'maximums: {a: 1}',
    'minimums: {a: 0}',
  ])('is an error: %s', async check => {
    const results = await gradeChecks(bothWays(check), { text: 'called a' })
    expect(results.map(({ score, passed, error }) => [score, passed, error?.code])).toEqual([
      [null, false, 'no-transcript'],
      [null, false, 'no-transcript'],
    ])
  })
})

it.each(['mode: exact', '(a); mode: some_order', 'minimums: {a: -1}', 'maximums: {a: 0.5}', 'forbidden: []', '(a:-1)'])(
  'rejects %s before the run',
  async check => {
    expect((await loadTestWithDiagnostics([trajectoryCheck(check)])).diagnostics.length).toBeGreaterThan(0)
  },
)
