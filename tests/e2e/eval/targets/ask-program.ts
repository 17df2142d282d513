import { expect } from 'vitest'
import { evaluate, resultsIn, suiteFolder, temporaryFiles } from '../../../support/suite-run.ts'

const HELLO = {
  criteria: 'Says it',
  input: 'Hello',
  execution: { target: 'well' },
  assert: [{ type: 'equals', value: 'Hello' }],
}
const ANYTHING = [{ type: 'regex', value: '[^]*' }]

/** Runs one test on a program, between two tests on another program that must not be affected. */
export async function ask(
  target: object,
  { test = {}, files = {} }: { test?: object; files?: Record<string, string | Uint8Array> } = {},
) {
  const tests = [
    { ...HELLO, id: 'before' },
    { id: 'case', criteria: 'Answers', input: 'Hi', execution: { target: 'case' }, assert: ANYTHING, ...test },
    { ...HELLO, id: 'after' },
  ]
  const targets = [
    { name: 'well', provider: 'cli', command: ['cat'] },
    { name: 'case', provider: 'cli', ...target },
  ]
  const folder = suiteFolder({ tests }, targets, files)
  const ended = await evaluate(folder)
  // The files of the test itself are invalid.
  expect(ended).not.toMatchObject({ code: 2 })
  const results = resultsIn(folder)
  const resultsOf = (id: string) => results.filter(({ test_id }) => test_id === id)
  expect(resultsOf('before')).toMatchObject([{ verdict: 'pass', answer: 'Hello' }])
  expect(resultsOf('after')).toMatchObject([{ verdict: 'pass', answer: 'Hello' }])
  expect(resultsOf('case')).toHaveLength(1)
  expect(temporaryFiles(folder)).toEqual([])
  return { ...ended, folder, result: resultsOf('case')[0]! }
}
