import { suiteFolder } from '../../support/suite-run.ts'

/** Three tests with one input: one log for all of their trials. */
export function oneLogSuite(files: Record<string, string> = {}): string {
  const test = (id: string) => ({
    id,
    criteria: 'Greets',
    input: 'Say hello',
    assert: [{ type: 'contains', value: 'Hello' }],
  })
  return suiteFolder(
    { tests: [test('a'), test('b'), test('c')] },
    [{ name: 'default', provider: 'mock', response: 'Hello!' }],
    { '.git/HEAD': '', ...files },
  )
}
