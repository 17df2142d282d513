import { describe, expect, it } from 'vitest'
import { renderFitting } from '../../../src/lib/text/table.ts'

const ROWS = [
  ['suite', 'target', 'tests', 'pass', 'score'],
  ['support-of-customers', 'gpt', '30', '22', '0.85'],
]

describe('renderFitting', () => {
  it.each([
    [undefined, 'suite                 target  tests  pass  score\nsupport-of-customers  gpt        30    22   0.85\n'],
    [47, 'suite                 target  tests  pass\nsupport-of-customers  gpt        30    22\n'],
    [40, 'suite                 target  pass\nsupport-of-customers  gpt       22\n'],
    [24, 'suite       target  pass\nsupport-o…  gpt       22\n'],
  ])('leaves out columns in order, then cuts words, to fit in %s columns', (columns, table) => {
    expect(renderFitting(ROWS, 2, { columns, sheds: ['score', 'tests'] })).toBe(table)
  })
})
