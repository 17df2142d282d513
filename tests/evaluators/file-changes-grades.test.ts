import { describe, expect, it } from 'vitest'
import { loadTestWithDiagnostics } from '../support/checks.ts'
import { type AgentWork, gradeWork, worked } from '../support/worked-folder.ts'

const WORK: AgentWork = {
  before: { 'src/a.js': 'a\n', 'src/b.js': 'b\n', 'test/a.js': 't\n', 'old.txt': 'o\n' },
  after: { 'src/a.js': 'A\n', 'src/new.js': 'n\n', 'test/a.js': 'T\n', 'old.txt': undefined },
}

const ALL = 'deleted `old.txt`, modified `src/a.js`, created `src/new.js`, modified `test/a.js`'

/** The fields of a check, the score, the hits and the misses. */
type Case = [fields: string, score: number, hits: string[], misses: string[]]

const CASES: Case[] = [
  // The share of `expected` that happened.
  ['expected: [{path: src/a.js, state: modified}]', 1, ['modified `src/a.js`'], []],
  ['expected: [{path: src/a.js}]', 1, ['modified `src/a.js`'], []],
  ['expected: [{path: src/a.js, state: any}]', 1, ['modified `src/a.js`'], []],
  ['expected: [{path: src/new.js, state: created}]', 1, ['created `src/new.js`'], []],
  ['expected: [{path: old.txt, state: deleted}]', 1, ['deleted `old.txt`'], []],
  ['expected: [{path: "src/*.js"}]', 1, ['modified `src/a.js`, created `src/new.js`'], []],
  ['expected: [{path: src/a.js, state: created}]', 0, [], ['not created: `src/a.js`; the agent modified `src/a.js`']],
  ['expected: [{path: src/b.js}]', 0, [], [`not changed: \`src/b.js\`; the agent ${ALL}`]],
  ['expected: [{path: src}]', 0, [], [`not changed: \`src\`; the agent ${ALL}`]],
  [
    'expected: [{path: src/a.js}, {path: src/b.js}]',
    0.5,
    ['modified `src/a.js`'],
    [`not changed: \`src/b.js\`; the agent ${ALL}`],
  ],
  // A forbidden change is 0, whatever else happened.
  ['forbidden: ["docs/**"]', 1, ['no forbidden file changed'], []],
  ['forbidden: ["test/**"]', 0, [], ['modified `test/a.js`, which `forbidden` matches with `test/**`']],
  ['forbidden: [test]', 0, [], ['modified `test/a.js`, which `forbidden` matches with `test`']],
  ['forbidden: [test/]', 0, [], ['modified `test/a.js`, which `forbidden` matches with `test/`']],
  ['forbidden: ["*.txt"]', 0, [], ['deleted `old.txt`, which `forbidden` matches with `*.txt`']],
  [
    'expected: [{path: src/a.js}], forbidden: [none, "**/*.js"]',
    0,
    ['modified `src/a.js`'],
    [
      'modified `src/a.js`, which `forbidden` matches with `**/*.js`',
      'created `src/new.js`, which `forbidden` matches with `**/*.js`',
      'modified `test/a.js`, which `forbidden` matches with `**/*.js`',
    ],
  ],
  // A change outside of `allowed` is 0.
  ['allowed: ["**"]', 1, ['only allowed files changed'], []],
  ['allowed: [src, test, old.txt]', 1, ['only allowed files changed'], []],
  ['allowed: ["src/**", "test/**"]', 0, [], ['deleted `old.txt`, which `allowed` does not match']],
  [
    'allowed: ["src/**"], forbidden: ["test/**"]',
    0,
    [],
    [
      'modified `test/a.js`, which `forbidden` matches with `test/**`',
      'deleted `old.txt`, which `allowed` does not match',
      'modified `test/a.js`, which `allowed` does not match',
    ],
  ],
  // What is expected, in path and state, is allowed; `forbidden` wins.
  [
    'expected: [{path: old.txt}], allowed: ["src/**", "test/**"]',
    1,
    ['only allowed files changed', 'deleted `old.txt`'],
    [],
  ],
  [
    'expected: [{path: old.txt, state: modified}], allowed: ["src/**", "test/**"]',
    0,
    [],
    ['deleted `old.txt`, which `allowed` does not match', 'not modified: `old.txt`; the agent deleted `old.txt`'],
  ],
  ['expected: [{path: "**"}], allowed: []', 1, ['only allowed files changed', ALL], []],
  [
    'allowed: ["**"], forbidden: [old.txt]',
    0,
    ['only allowed files changed'],
    ['deleted `old.txt`, which `forbidden` matches with `old.txt`'],
  ],
  // The number of changed files.
  ['max_files: 4', 1, ['4 files changed, within 4'], []],
  ['max_files: 5', 1, ['4 files changed, within 5'], []],
  ['max_files: 3', 0, [], [`4 files changed, above 3: ${ALL}`]],
  ['max_files: 0', 0, [], [`4 files changed, above 0: ${ALL}`]],
  ['max_files: 3, negate: true', 1, [`4 files changed, above 3: ${ALL}`], []],
]

describe('a check of changes', () => {
  it('has the expected grades, from the record alone', async () => {
    const { answer, workspace } = await worked(WORK)
    const checks = CASES.map(([fields], index) => `{type: file_changes, name: c${index}, ${fields}}`)
    const shown = (results: Awaited<ReturnType<typeof gradeWork>>) =>
      results.map(({ score, hits, misses }, index) => [CASES[index]?.[0], score, hits, misses])
    expect(shown(await gradeWork(checks, { answer }))).toEqual(CASES)
    expect(shown(await gradeWork(checks, { answer, workspace }))).toEqual(CASES)
  })

  it('accepts that nothing changed, and reports what should have', async () => {
    const { answer } = await worked({ before: { a: '1' } })
    const results = await gradeWork(
      [
        '{type: file_changes, name: a, max_files: 0}',
        '{type: file_changes, name: b, allowed: []}',
        '{type: file_changes, name: c, forbidden: ["**"]}',
        '{type: file_changes, name: d, expected: [{path: a}]}',
      ],
      { answer },
    )
    expect(results.map(({ score, misses }) => [score, ...misses])).toEqual([
      [1],
      [1],
      [1],
      [0, 'not changed: `a`; the agent changed no file'],
    ])
  })

  it('counts a rename as two changes', async () => {
    const { answer } = await worked({ before: { a: '1' }, after: { a: undefined, b: '1' } })
    const [result] = await gradeWork(['{type: file_changes, max_files: 1}'], { answer })
    expect(result?.misses).toEqual(['2 files changed, above 1: deleted `a`, created `b`'])
  })

  it('names the first of many offending files', async () => {
    const { answer } = await worked({
      after: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, ''])),
    })
    const [result] = await gradeWork(['{type: file_changes, allowed: []}'], { answer })
    expect(result?.misses).toHaveLength(21)
    expect(result?.misses.at(-1)).toBe('and 30 more')
  })

  it('has no grade without the changes of the agent', async () => {
    const [result] = await gradeWork(['{type: file_changes, max_files: 1}'], { answer: { text: 'x' } })
    expect(result?.error?.code).toBe('no-workspace')
  })

  it.each([
    ['', 'missing-key'],
    ['expected: []', 'out-of-range'],
    ['forbidden: []', 'out-of-range'],
    ['max_files: -1', 'out-of-range'],
    ['expected: [{path: ../a}]', 'bad-path'],
    ['allowed: [/tmp]', 'bad-path'],
    ['forbidden: ["!src"]', 'bad-path'],
    ['forbidden: [.git]', 'bad-path'],
    ['expected: [{path: a, state: absent}]', 'bad-choice'],
  ])('reports `%s` before the run', async (fields, code) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: file_changes, ${fields}}`])
    expect(diagnostics.map(each => each.code)).toEqual([code])
  })
})
