import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { Baseline, BaselineTest } from '../../src/model/baseline.ts'
import { loadBaseline } from '../../src/operations/baselines/saved-results.ts'
import { conflictedBaseline } from '../../src/record/baseline-conflicts.ts'
import { baselineWith, savedTest, writeTo } from '../support/baselines.ts'
import { folderWith } from '../support/program.ts'
import { examples } from '../support/random-examples.ts'

const idOf = (index: number) => `t${String(index).padStart(2, '0')}`
const host = nodeHost(process.cwd())

/** Merges two versions of a file as git does; undefined if it has conflicts. */
async function mergeOf(base: Baseline, ours: Baseline, theirs: Baseline): Promise<string | undefined> {
  const folder = folderWith()
  const paths = ['ours', 'base', 'theirs'].map(name => join(folder, `${name}.json`))
  await Promise.all([ours, base, theirs].map((baseline, index) => writeTo(paths[index] ?? '', baseline)))
  try {
    const merged = execFileSync('git', ['merge-file', '-p', ...paths], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    writeFileSync(join(folder, 'merged.json'), merged)
    return join(folder, 'merged.json')
  } catch {
    return undefined
  }
}

/** What each of two branches does to each test. */
type Change = 'none' | 'edit' | 'remove' | 'add'

function changed(changes: readonly Change[], who: string): BaselineTest[] {
  return changes.flatMap((change, index) => {
    const test = savedTest({ test_id: idOf(index), test_hash: `hash-${index}` })
    const edited = { ...test, run: who, test_hash: `${who}-${index}` }
    const added = { ...edited, test_id: `${idOf(index)}-added` }
    if (change === 'remove') return []
    if (change === 'edit') return [edited]
    return change === 'add' ? [test, added] : [test]
  })
}

describe('a baseline in git', () => {
  const branches = (kinds: readonly Change[]) =>
    fc.array(fc.tuple(fc.constantFrom('ours', 'theirs'), fc.constantFrom(...kinds)), { minLength: 1, maxLength: 12 })
  const sideOf = (all: readonly (readonly [string, Change])[], who: string) =>
    all.map(([owner, change]): Change => (owner === who ? change : 'none'))
  const unionOf = (all: readonly (readonly [string, Change])[]) =>
    all.flatMap(([owner, change], index) =>
      changed(
        all.map((_, other): Change => (other === index ? change : 'none')),
        owner,
      ).filter(({ test_id }) => test_id.startsWith(idOf(index))),
    )

  it('merges any edits of different tests to what both branches saved', async () => {
    await fc.assert(
      fc.asyncProperty(branches(['none', 'edit']), async all => {
        const base = baselineWith(
          changed(
            all.map(() => 'none'),
            'base',
          ),
        )
        const [ours, theirs] = ['ours', 'theirs'].map(who => baselineWith(changed(sideOf(all, who), who)))
        const merged = await mergeOf(base, ours ?? base, theirs ?? base)
        expect(merged).toBeDefined()
        expect((await loadBaseline(merged ?? '', host)).tests).toEqual(unionOf(all))
      }),
      { numRuns: examples(60) },
    )
  })

  it('never merges additions and removals to anything else than a conflict, an error, or what both saved', async () => {
    await fc.assert(
      fc.asyncProperty(branches(['none', 'edit', 'remove', 'add']), async all => {
        const base = baselineWith(
          changed(
            all.map(() => 'none'),
            'base',
          ),
        )
        const [ours, theirs] = ['ours', 'theirs'].map(who => baselineWith(changed(sideOf(all, who), who)))
        const merged = await mergeOf(base, ours ?? base, theirs ?? base)
        const read = merged === undefined ? undefined : await loadBaseline(merged, host).catch(() => undefined)
        if (read) expect(read.tests).toEqual(unionOf(all))
      }),
      { numRuns: examples(120) },
    )
  })

  it('is the same file for the same results in any order', async () => {
    const folder = folderWith()
    const tests = ['b', 'a', 'ä', 'Z', '\u{1f600}', '\uffff'].map(test_id => savedTest({ test_id }))
    await writeTo(join(folder, 'one.json'), baselineWith(tests, { files: { b: '1', a: '2' } }))
    await writeTo(join(folder, 'two.json'), baselineWith(tests.toReversed(), { files: { a: '2', b: '1' } }))
    expect(readFileSync(join(folder, 'one.json'), 'utf8')).toBe(readFileSync(join(folder, 'two.json'), 'utf8'))
  })

  it('keeps ids that are made to harm on one line each', async () => {
    const path = join(folderWith(), 'main.json')
    const ids = [
      '__proto__',
      'constructor',
      '<<<<<<< HEAD',
      '\u0000\u001b[31m\r\n=======\n',
      '\u2028',
      '"',
      'x'.repeat(100_000),
    ]
    const baseline = baselineWith(
      ids.map(test_id => savedTest({ test_id })),
      { files: { ['__proto__']: 'hash', '=======': 'hash' } },
    )
    await writeTo(path, baseline)
    const read = await loadBaseline(path, host)
    expect(read.tests.map(({ test_id }) => test_id).toSorted()).toEqual(ids.toSorted())
    expect(Object.keys(read.files)).toContain('=======')
    expect(
      readFileSync(path, 'utf8')
        .split('\n')
        .filter(line => line.startsWith('{"suite"')),
    ).toHaveLength(ids.length)
  })
})

describe('a baseline with conflicts', () => {
  const line = (test: Partial<BaselineTest>) => JSON.stringify(savedTest(test))
  const ids = (tests: readonly BaselineTest[]) => tests.map(({ test_id }) => test_id)

  it('is read line by line, without the base of both branches', () => {
    const text = [
      '"files": {',
      '"a.txt": "1"',
      '},',
      line({ test_id: 'same' }),
      ',',
      '<<<<<<< HEAD',
      line({ test_id: 'edited', passed: 0, scores: [0], verdict: 'fail' }),
      '||||||| 1234567',
      line({ test_id: 'edited' }),
      line({ test_id: 'removed' }),
      '=======',
      line({ test_id: 'edited', run: 'other' }),
      ',',
      line({ test_id: 'only-theirs' }),
      '>>>>>>> theirs',
      ']',
    ]
    for (const end of ['\n', '\r\n']) {
      const { merged, conflicting, files } = conflictedBaseline(text.join(end))
      expect(ids(merged)).toEqual(['same'])
      expect(ids(conflicting)).toEqual(['edited', 'only-theirs'])
      expect(files).toEqual({ 'a.txt': '1' })
    }
  })

  it('has no conflict in a test that both branches have alike', () => {
    const both = ['<<<<<<< a', line({}), '=======', line({}), '>>>>>>> b'].join('\n')
    expect(conflictedBaseline(both)).toMatchObject({ merged: [{ test_id: 'a' }], conflicting: [] })
  })

  it.each([
    '',
    '<<<<<<<',
    '=======\n=======',
    '>>>>>>> x\n'.repeat(1000),
    `<<<<<<< a\n${'['.repeat(100_000)}`,
    '{"suite":1}',
  ])('never throws: %#', text => {
    expect(conflictedBaseline(text)).toMatchObject({ merged: [], conflicting: [] })
  })
})
