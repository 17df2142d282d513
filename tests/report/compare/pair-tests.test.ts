import { describe, expect, it } from 'vitest'
import { pairTests } from '../../../src/report/compare/pair-tests.ts'
import { checkResult } from '../../support/recorded-run.ts'
import { type Scored, sideOf } from './sides.ts'

const paired = (before: Record<string, Scored>, after: Record<string, Scored>) =>
  pairTests(sideOf('before', before).tests, sideOf('after', after).tests)

const names = (tests: readonly { test_id: string }[]) => tests.map(({ test_id }) => test_id)

/** A test called `a` in a suite of the same name, in its own file. */
const inFile = (file: string, score: number, test_hash = 'h'): Scored => ({
  scores: [score],
  test_id: 'a',
  file,
  test_hash,
})

describe('a test is matched', () => {
  it('by suite and id, with any number of trials', () => {
    const { pairs } = paired({ a: [1, 0, 1, 0] }, { a: [1] })
    expect(pairs).toMatchObject([{ suite: 'suite', test_id: 'a', before: 0.5, after: 1, difference: 0.5 }])
    expect(pairs[0]?.outcomes.map(({ attempts }) => attempts)).toEqual([4, 1])
  })

  it('not with the same id in another suite', () => {
    const found = paired({ a: { scores: [1], suite: 'one' } }, { a: { scores: [1], suite: 'two' } })
    expect(found).toMatchObject({
      pairs: [],
      new: [{ suite: 'two', test_id: 'a' }],
      gone: [{ suite: 'one', test_id: 'a' }],
    })
  })

  it('not if only the joined suite and id are equal', () => {
    const found = paired(
      { x: { scores: [1], suite: 'a","b', test_id: 'c' } },
      { x: { scores: [1], suite: 'a', test_id: 'b","c' } },
    )
    expect(found.pairs).toEqual([])
  })

  it('also if its file was moved', () => {
    expect(
      paired({ a: { scores: [1], file: 'old.yaml' } }, { a: { scores: [1], file: 'new.yaml' } }).pairs,
    ).toHaveLength(1)
  })
})

describe('several tests with the same name', () => {
  const values = (before: Record<string, Scored>, after: Record<string, Scored>) =>
    paired(before, after).pairs.map(({ before, after }) => [before, after])

  it('are matched by file, in any order of files', () => {
    const before = { x: inFile('one.yaml', 0), y: inFile('two.yaml', 1) }
    expect(values(before, { x: inFile('one.yaml', 0.5), y: inFile('two.yaml', 0.8) })).toEqual([
      [0, 0.5],
      [1, 0.8],
    ])
    expect(values(before, { y: inFile('two.yaml', 0.8), x: inFile('one.yaml', 0.5) })).toEqual([
      [0, 0.5],
      [1, 0.8],
    ])
  })

  it('are not matched with another file because the first one is gone', () => {
    const found = paired(
      { x: inFile('one.yaml', 0, 'first'), y: inFile('two.yaml', 1, 'second') },
      { y: inFile('two.yaml', 1, 'second') },
    )
    expect(found.pairs.map(({ before, after }) => [before, after])).toEqual([[1, 1]])
    expect([names(found.gone), found.changed]).toEqual([['a'], []])
  })

  it('are matched by content if their files were moved, never by order alone', () => {
    const before = { x: inFile('one.yaml', 0, 'first'), y: inFile('two.yaml', 1, 'second') }
    expect(values(before, { y: inFile('b.yaml', 0.8, 'second'), x: inFile('a.yaml', 0.5, 'first') })).toEqual([
      [0, 0.5],
      [1, 0.8],
    ])
    const other = paired(before, { x: inFile('a.yaml', 0, 'third'), y: inFile('b.yaml', 1, 'fourth') })
    expect([other.pairs, other.changed, names(other.gone), names(other.new)]).toEqual([[], [], ['a', 'a'], ['a', 'a']])
  })

  it('stay unmatched if they were moved and have no hash', () => {
    const old = (file: string): Scored => ({ scores: [1], test_id: 'a', file, test_hash: undefined }) as never
    const found = paired({ x: old('one.yaml'), y: old('two.yaml') }, { x: old('a.yaml'), y: old('b.yaml') })
    expect([found.pairs, found.new.length, found.gone.length]).toEqual([[], 2, 2])
  })
})

describe('the value of a test', () => {
  it('is the mean of its attempts, with errors as 0', () => {
    const { pairs } = paired({ a: [1, null], b: [1], c: [null] }, { a: [1, 1], b: [null], c: [null] })
    expect(pairs.map(({ before, after, difference }) => [before, after, difference])).toEqual([
      [0.5, 1, 0.5],
      [1, 0, -1],
      [0, 0, 0],
    ])
  })

  it('counts an attempt that misses a required check as 0, whatever its score', () => {
    const missed = {
      verdict: 'fail' as const,
      evaluator_results: [checkResult({ score: 0, weight: 0, required: 0.8 })],
    }
    const { pairs } = paired({ a: [1], b: [1, 1] }, { a: { scores: [1], ...missed }, b: [1, 1] })
    expect(pairs.map(({ after }) => after)).toEqual([0, 1])
  })

  it('has no floating-point noise', () => {
    const { pairs } = paired({ a: [0.1, 0.2] }, { a: [0.3, 0.3] })
    expect(pairs[0]?.difference).toBe(0.15)
  })
})

describe('a changed test', () => {
  it('is listed but not compared, even if it has an error', () => {
    const { pairs, changed } = paired(
      { a: { scores: [1], test_hash: '1' }, b: { scores: [1], test_hash: '1' } },
      { a: { scores: [1], test_hash: '2' }, b: { scores: [null], test_hash: '2' } },
    )
    expect([pairs, names(changed)]).toEqual([[], ['a', 'b']])
  })

  it('includes a test with a hash on one side only', () => {
    const old = (...scores: number[]): Scored => ({ scores, test_hash: undefined }) as Scored
    expect(paired({ a: old(1) }, { a: old(0) }).pairs).toHaveLength(1)
    expect(paired({ a: old(1) }, { a: [0] })).toMatchObject({ pairs: [], changed: [{ test_id: 'a' }] })
  })
})
