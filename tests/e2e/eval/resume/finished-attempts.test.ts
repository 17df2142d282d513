import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { linesOf, resultsIn, runFolder, suiteFolder } from '../../../support/suite-run.ts'
import { answersFile, callsIn, resultsFile } from './call-log.ts'

/** Logs each call and answers with the content of `reply`; fails if it is empty. */
const AGENT = 'echo asked >> "$HOME_FOLDER/calls.txt"; cat "$HOME_FOLDER/reply"; [ -s "$HOME_FOLDER/reply" ]'

const TESTS = [{ id: 'a', criteria: 'Agrees', input: 'Right?', assert: [{ type: 'equals', value: 'yes' }] }]

/** Sets the target of a folder, with `work` as its workspace. */
function writeWorkspaceTarget(cwd: string): void {
  const target = { name: 'default', provider: 'cli', command: AGENT, workspace: 'work', env: { HOME_FOLDER: cwd } }
  writeFileSync(join(cwd, '.assay/targets.yaml'), JSON.stringify({ targets: [target] }))
}

/** A folder with a run that was killed during grading, after its workspace was removed. */
async function killDuringGrading(): Promise<string> {
  const cwd = suiteFolder({ tests: TESTS }, [], { 'work/file.txt': 'x', reply: 'no' })
  writeWorkspaceTarget(cwd)
  expect((await assay(['eval'], { cwd })).code).toBe(1)
  const [result] = resultsIn(cwd)
  rmSync(String(result?.workspace_path), { recursive: true })
  writeFileSync(resultsFile(cwd), '')
  return cwd
}

describe('a finished attempt', () => {
  it('is not repeated after kill -9 during grading if its workspace is gone', async () => {
    const cwd = await killDuringGrading()
    writeFileSync(join(cwd, 'reply'), 'yes')
    expect((await assay(['eval', '--resume'], { cwd })).code).toBe(0)
    expect(callsIn(cwd)).toHaveLength(2)
    for (const again of ['--resume', '--rerun-failed']) {
      expect((await assay(['eval', again], { cwd })).code).toBe(0)
      expect(callsIn(cwd)).toHaveLength(2)
    }
    expect(linesOf(resultsFile(cwd))).toHaveLength(1)
  })

  it('is not repeated if its second attempt gave no answer', async () => {
    const cwd = await killDuringGrading()
    writeFileSync(join(cwd, 'reply'), '')
    for (const _ of [1, 2, 3]) expect((await assay(['eval', '--resume'], { cwd })).code).toBe(3)
    expect(callsIn(cwd)).toHaveLength(2)
    expect(linesOf(resultsFile(cwd))).toHaveLength(1)
  })

  it('is not repeated after a merge of a shard with reruns', async () => {
    const tests = ['a', 'b'].map(id => ({ id, criteria: 'Agrees', input: id, assert: [{ type: 'judge' }] }))
    const judge = '#!/bin/sh\n[ -e "$FLAG" ] && echo \'{"score": 1}\'\n'
    const cwd = suiteFolder({ tests }, [], { '.assay/judges/judge.sh': judge, 'work/file.txt': 'x', reply: 'yes' })
    writeWorkspaceTarget(cwd)
    const FLAG = join(cwd, 'judging-works')
    const evalIn = (...args: string[]) => assay(['eval', ...args], { cwd, env: { FLAG } })
    expect((await evalIn('--shard', '1/2')).code).toBe(3)
    rmSync(String(resultsIn(cwd)[0]?.workspace_path), { recursive: true })
    writeFileSync(FLAG, '')
    // The rerun replaces the judge error: the attempt has two answers and two results, the merged run one result.
    expect((await evalIn('--rerun-failed')).code).toBe(0)
    const first = runFolder(cwd)
    expect((await evalIn('--shard', '2/2')).code).toBe(0)
    expect((await assay(['merge', first, runFolder(cwd)], { cwd })).code).toBe(0)
    const results = linesOf(resultsFile(cwd))
    expect((await evalIn('--resume')).code).toBe(0)
    expect(callsIn(cwd)).toHaveLength(3)
    expect(linesOf(resultsFile(cwd))).toEqual(results)
  })
})

describe('a result', () => {
  it('names the graded answer', async () => {
    const cwd = await killDuringGrading()
    writeFileSync(join(cwd, 'reply'), 'yes')
    await assay(['eval', '--resume'], { cwd })
    const answers = linesOf(answersFile(cwd)).map(line => JSON.parse(line).answer.answer_number)
    expect(answers).toEqual([1, 2])
    expect(resultsIn(cwd)).toMatchObject([{ answer_number: 2 }])
  })

  it('names the same answer when it is graded again', async () => {
    const cwd = suiteFolder({ tests: TESTS }, [{ name: 'default', provider: 'mock', response: 'yes' }])
    await assay(['eval'], { cwd })
    writeFileSync(resultsFile(cwd), '')
    await assay(['eval', '--resume'], { cwd })
    expect(resultsIn(cwd)).toMatchObject([{ answer_number: 1 }])
    expect(linesOf(answersFile(cwd))).toHaveLength(1)
  })

  it('names no answer if the target gave none', async () => {
    const cwd = suiteFolder({ tests: TESTS }, [{ name: 'default', provider: 'cli', command: 'exit 1' }])
    await assay(['eval'], { cwd })
    expect(resultsIn(cwd)[0]).not.toHaveProperty('answer_number')
  })

  it('is accepted without an answer number, as older versions wrote it', async () => {
    const cwd = suiteFolder({ tests: TESTS }, [
      { name: 'default', provider: 'cli', command: 'echo asked >> calls.txt; echo no' },
    ])
    await assay(['eval'], { cwd })
    for (const file of [answersFile(cwd), resultsFile(cwd)])
      writeFileSync(
        file,
        readFileSync(file, 'utf8')
          .replaceAll(/"answer_number":1,?/g, '')
          .replaceAll(',}', '}'),
      )
    expect((await assay(['eval', '--resume'], { cwd })).code).toBe(1)
    expect(callsIn(cwd)).toHaveLength(1)
    expect(linesOf(resultsFile(cwd))).toHaveLength(1)
  })
})
