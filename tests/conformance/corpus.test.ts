import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CODES } from '../../src/diagnostics/codes.ts'
import { casesIn, diagnosticsText, loadCase, modelText } from '../support/corpus.ts'

const GOLDEN = 'diagnostics.txt'

describe('valid', () => {
  it.each(casesIn('valid'))('$name', async example => {
    const loaded = await loadCase(example)
    expect(loaded.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(loaded.suites, 'the case has no suite: name its files in args.txt, or add an EVAL.yaml').not.toEqual([])
    await expect(modelText(example, loaded)).toMatchFileSnapshot(join(example.source, 'model.json'))
    if (loaded.diagnostics.length > 0 || existsSync(join(example.source, GOLDEN))) {
      await expect(diagnosticsText(example, loaded)).toMatchFileSnapshot(join(example.source, GOLDEN))
    }
  })
})

describe('invalid', () => {
  const cases = casesIn('invalid')
  const codes = new Set<string>()

  it.each(cases)('$name', async example => {
    const loaded = await loadCase(example)
    for (const { code } of loaded.diagnostics) codes.add(code)
    expect(loaded.diagnostics, 'a case without diagnostics belongs in tests/corpus/valid').not.toEqual([])
    await expect(diagnosticsText(example, loaded)).toMatchFileSnapshot(join(example.source, GOLDEN))
  })

  it('has at least 60 cases, and every code in one of them', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
    const missing = Object.keys(CODES).filter(code => !codes.has(code))
    expect(missing, 'add a case to tests/corpus/invalid for each of these codes').toEqual([])
  })
})
