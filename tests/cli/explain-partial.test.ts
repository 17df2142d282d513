import { describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const TARGETS = JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'yes' }] })
const test = (id: string) => ({ id, criteria: 'c', input: 'Hi', assert: [{ type: 'contains', value: 'yes' }] })
const SUITE = JSON.stringify({ name: 's', tests: [test('greets'), test('greet2')] })

async function explained(args: readonly string[], id: string) {
  const cwd = folderWith({ 'EVAL.yaml': SUITE, '.assay/targets.yaml': TARGETS })
  await assay(['eval', ...args], { cwd })
  const { code, stderr } = await assay(['explain', 'latest', id], { cwd })
  return { code, stderr }
}

describe('explain of a test without a result', () => {
  it('reports which part of the suite a partial run covers', async () => {
    expect(await explained(['--test-id', 'greets'], 'greet2')).toEqual({
      code: 5,
      stderr:
        'No result of a test greet2 in this run, which is partial: 1 of 2 tests selected (--test-id greets); did you mean `greets`?\n',
    })
    expect(await explained(['--test-id', 'greets'], 'other')).toEqual({
      code: 5,
      stderr: 'No result of a test other in this run, which is partial: 1 of 2 tests selected (--test-id greets)\n',
    })
  })

  it('points to the list of ids if the run is complete', async () => {
    expect(await explained([], 'other')).toEqual({
      code: 5,
      stderr: 'No result of a test other in this run: see the ids with `assay list`\n',
    })
  })
})
