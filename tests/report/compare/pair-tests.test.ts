import { describe, expect, it } from 'vitest'
import { pairTests } from '../../../src/report/compare/pair-tests.ts'
import { type Scored, sideOf } from '../../support/sides.ts'

const paired = (before: Record<string, Scored>, after: Record<string, Scored>) =>
  pairTests(sideOf('before', before).tests, sideOf('after', after).tests)

const names = (tests: readonly { test_id: string }[]) => tests.map(({ test_id }) => test_id)

describe('tests are matched', () => {
  it('by suite and id; the score is the mean of the trials, of which there may be more on one side', () => {
    const { pairs } = paired({ a: [1, 0, 1, 0] }, { a: [1] })
    expect(pairs).toMatchObject([{ suite: 'suite', test_id: 'a', before: 0.5, after: 1, difference: 0.5 }])
    expect(pairs[0]?.outcomes.map(({ attempts }) => attempts)).toEqual([4, 1])
  })

  it('not with one of the same id in another suite', () => {
    const found = paired({ a: { scores: [1], suite: 'one' } }, { a: { scores: [1], suite: 'two' } })
    expect(found).toMatchObject({
      pairs: [],
      new: [{ suite: 'two', test_id: 'a' }],
      gone: [{ suite: 'one', test_id: 'a' }],
    })
  })

  it('whatever their names look like when put together', () => {
    const found = paired(
      { x: { scores: [1], suite: 'a","b', test_id: 'c' } },
      { x: { scores: [1], suite: 'a', test_id: 'b","c' } },
    )
    expect(found.pairs).toEqual([])
  })

  it('in the same order where suites of one name, in two files, have tests of one id', () => {
    const both = (one: number, two: number) => ({
      x: { scores: [one], test_id: 'a', file: 'one.yaml', test_hash: 'h' },
      y: { scores: [two], test_id: 'a', file: 'two.yaml', test_hash: 'h' },
    })
    expect(paired(both(0, 1), both(0.5, 1)).pairs.map(({ before, after }) => [before, after])).toEqual([
      [0, 0.5],
      [1, 1],
    ])
  })

  it('also where the file has moved', () => {
    expect(
      paired({ a: { scores: [1], file: 'old.yaml' } }, { a: { scores: [1], file: 'new.yaml' } }).pairs,
    ).toHaveLength(1)
  })
})

describe('what cannot be compared is listed', () => {
  it('a test that was changed, also where it has no score any more', () => {
    const { pairs, changed, unscored } = paired(
      { a: { scores: [1], test_hash: '1' }, b: { scores: [1], test_hash: '1' } },
      { a: { scores: [1], test_hash: '2' }, b: { scores: [null], test_hash: '2' } },
    )
    expect([pairs, names(changed), unscored]).toEqual([[], ['a', 'b'], []])
  })

  it('a test without a score on either side: an error in one trial is enough', () => {
    const { pairs, unscored } = paired({ a: [1, null], b: [1], c: [1] }, { a: [1, 1], b: [null], c: [0] })
    expect([names(pairs), names(unscored)]).toEqual([['c'], ['a', 'b']])
  })
})

describe('records from before tests had a hash', () => {
  const old = (...scores: number[]): Scored => ({ scores, test_hash: undefined }) as Scored

  it('are matched by name among themselves', () => {
    expect(paired({ a: old(1) }, { a: old(0) }).pairs).toHaveLength(1)
  })

  it('and with newer ones listed: nobody knows whether the test is the same', () => {
    expect(paired({ a: old(1) }, { a: [0] })).toMatchObject({ pairs: [], changed: [{ test_id: 'a' }] })
  })
})

it('differences have no dust of arithmetic', () => {
  const { pairs } = paired({ a: [0.1, 0.2] }, { a: [0.3, 0.3] })
  expect(pairs[0]?.difference).toBe(0.15)
})
