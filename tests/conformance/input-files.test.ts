import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { isMapping } from '../../src/lib/objects.ts'
import type { Evaluator } from '../../src/model/evaluator.ts'
import { casesIn, loadCase } from '../support/corpus.ts'

describe('input_files', () => {
  it('loads to the same model as its long form', async () => {
    const [short] = await modelsOf('seed-input-files')
    const [long] = await modelsOf('seed-input-files-long')
    expect(short).toStrictEqual(long)
    expect(short).toMatchObject({
      tests: [
        {
          input: [
            {
              role: 'user',
              content: [
                { type: 'file', value: 'evals/files/sales.csv', path: '<case>/evals/files/sales.csv' },
                { type: 'text', value: 'Summarize the monthly trends in this CSV.' },
              ],
            },
          ],
        },
      ],
    })
  })

  it('loads to the same model with several files, with every kind of path, and in a dataset', async () => {
    const [long, short] = await modelsOf('input-files-forms')
    expect(short?.['tests']).toHaveLength(3)
    expect(short?.['tests']).toStrictEqual(long?.['tests'])
  })
})

/** The suites of a case without origins and folder, with evaluators as numbers. */
async function modelsOf(name: string): Promise<Record<string, unknown>[]> {
  const example = casesIn('valid').find(example => example.name === name)
  if (!example) throw new Error(`no case ${name}`)
  const { suites, diagnostics } = await loadCase(example)
  expect(diagnostics).toEqual([])
  return suites.map(suite => plain(suite, example.folder) as Record<string, unknown>)
}

function plain(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return value.replaceAll(folder, '<case>')
  if (Array.isArray(value)) return value.map(item => plain(item, folder))
  if (value instanceof Map) return new Map([...value].map(entry => plain(entry, folder) as [unknown, unknown]))
  if (!isMapping(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'at')
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === 'evaluator' ? indexOf(item) : plain(item, folder)]),
  )
}

function indexOf(evaluator: unknown): number {
  const index = evaluators.indexOf(evaluator as Evaluator)
  expect(index).toBeGreaterThanOrEqual(0)
  return index
}
