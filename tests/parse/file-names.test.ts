import { expect, it } from 'vitest'
import { isSuiteName, SUITE_NAMES } from '../../src/parse/file-names.ts'

const NAMES = ['EVAL.yml', 'a.eval.yaml', 'a.EVAL.yaml', 'a.EVAL.yml', 'evals.json', 'a.evals.json']

it.each([...NAMES, 'trigger-evals.json', 'a.trigger-evals.json', 'eval_queries.json'])(
  'lists the file name pattern of %s in messages',
  name => {
    expect(isSuiteName(name)).toBe(true)
    expect(SUITE_NAMES).toContain(name.replace(/^a\./, '*.'))
  },
)
