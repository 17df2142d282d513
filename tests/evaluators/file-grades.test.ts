import { describe, expect, it } from 'vitest'
import { type AgentWork, gradeWork, worked } from '../support/worked-folder.ts'

/** Three files stay, and the agent creates two, modifies one and deletes one. */
const WORK: AgentWork = {
  before: {
    'README.md': '# Title\n',
    'src/a.js': 'let a = 1\n',
    'src/b.js': `${'// line\n'.repeat(30)}let b\n`,
    'src/deep/c.js': 'let c\n',
    '.env': 'KEY=1\n',
    'old.txt': 'old\n',
  },
  after: {
    'src/b.js': `${'// line\n'.repeat(30)}let b = 2\n`,
    'src/new.js': 'let n = "größe"\n',
    'data.json': '{"port": 80}\n',
    'old.txt': undefined,
  },
}

const FILES = {
  'expected.txt': 'let a = 1\n',
  'b.txt': `${'// line\n'.repeat(30)}let b = 2\n`,
  'bare.txt': 'let a = 1',
  'schema.json': '{"type": "object", "required": ["port"]}',
}

const JS = '`src/a.js` exists'
const CHANGES = 'the agent created `data.json`, deleted `old.txt`, modified `src/b.js`, created `src/new.js`'

/** The fields of a check, the score, and the first hit or miss; the score from the record alone, or its error. */
type Case = [fields: string, score: number, text: string, recorded: number | 'workspace-gone']

const CASES: Record<string, Case[]> = {
  state: [
    ['path: src/a.js', 1, JS, 'workspace-gone'],
    ['path: src/a.js, state: any', 1, JS, 'workspace-gone'],
    ['path: ./src//a.js', 1, JS, 'workspace-gone'],
    ['path: src/b.js', 1, '`src/b.js` was modified', 1],
    ['path: src/new.js', 1, '`src/new.js` was created', 1],
    ['path: old.txt', 0, 'no file matches `old.txt`; `old.txt` was deleted', 0],
    ['path: none.txt', 0, `no file matches \`none.txt\`; ${CHANGES}`, 'workspace-gone'],
    ['path: src', 0, `no file matches \`src\`; ${CHANGES}`, 'workspace-gone'],
    ['path: src/new.js, state: created', 1, '`src/new.js` was created', 1],
    ['path: src/b.js, state: created', 0, 'no file matches `src/b.js` and was created; `src/b.js` was modified', 0],
    ['path: src/b.js, state: modified', 1, '`src/b.js` was modified', 1],
    ['path: src/a.js, state: modified', 0, `no file matches \`src/a.js\` and was modified; ${CHANGES}`, 0],
    ['path: old.txt, state: deleted', 1, '`old.txt` was deleted', 1],
    ['path: src/a.js, state: deleted', 0, `no file matches \`src/a.js\` and was deleted; ${CHANGES}`, 0],
    ['path: old.txt, state: absent', 1, 'no file matches `old.txt`', 1],
    ['path: none.txt, state: absent', 1, 'no file matches `none.txt`', 'workspace-gone'],
    ['path: src/new.js, state: absent', 0, '1 file found, expected no file: `src/new.js` was created', 0],
    ['path: src/a.js, state: absent', 0, `1 file found, expected no file: ${JS}`, 'workspace-gone'],
    ['path: src/deep, state: absent', 0, '1 file found, expected no file: `src/deep/c.js` exists', 'workspace-gone'],
    ['path: "*.txt", state: absent', 1, 'no file matches `*.txt`', 'workspace-gone'],
    ['path: src/a.js, negate: true', 0, JS, 'workspace-gone'],
    ['path: old.txt, negate: true', 1, 'no file matches `old.txt`; `old.txt` was deleted', 1],
  ],
  globs: [
    ['path: "*.js", state: created', 0, `no file matches \`*.js\` and was created; ${CHANGES}`, 0],
    ['path: "src/*.js", state: created', 1, '`src/new.js` was created', 1],
    ['path: "**/*.js", state: created', 1, '`src/new.js` was created', 1],
    ['path: "src/{new,other}.j?", state: created', 1, '`src/new.js` was created', 1],
    ['path: "src/[m-o]*.js", state: created', 1, '`src/new.js` was created', 1],
    ['path: src/, state: modified', 1, '`src/b.js` was modified', 1],
    ['path: ".e*"', 1, '`.env` exists', 'workspace-gone'],
    ['path: "*", contains: KEY=1, count: 1', 1, '`.env` exists and contains "KEY=1"', 'workspace-gone'],
  ],
  contains: [
    ['path: src/a.js, contains: a = 1', 1, `${JS} and contains "a = 1"`, 'workspace-gone'],
    ['path: src/a.js, contains: A = 1', 0, '`src/a.js` does not contain "A = 1"; it is "let a = 1↵"', 'workspace-gone'],
    ['path: src/new.js, contains: größe', 1, '`src/new.js` was created and contains "größe"', 1],
    ['path: src/new.js, contains: other', 0, '`src/new.js` does not contain "other"; it is "let n = "größe"↵"', 0],
    ['path: src/b.js, contains: b = 2', 1, '`src/b.js` was modified and contains "b = 2"', 'workspace-gone'],
    ['path: data.json, contains: 80', 1, '`data.json` was created and contains "80"', 1],
    ['path: "src/*.js", contains: =', 1, '`src/a.js` exists and contains "="', 'workspace-gone'],
    ['path: "src/*.js", contains: let a', 1 / 3, '`src/a.js` exists and contains "let a"', 'workspace-gone'],
    ['path: "none/*", contains: x', 0, `no file matches \`none/*\`; ${CHANGES}`, 'workspace-gone'],
    [
      'path: "src/*", state: created, contains: nothing',
      0,
      '`src/new.js` does not contain "nothing"; it is "let n = "größe"↵"',
      0,
    ],
  ],
  regex: [
    ['path: src/a.js, regex: "a = \\\\d"', 1, `${JS} and matches /a = \\d/`, 'workspace-gone'],
    ['path: src/new.js, regex: "^LET"', 0, '`src/new.js` does not match /^LET/; it is "let n = "größe"↵"', 0],
    ['path: src/new.js, regex: "^LET", flags: i', 1, '`src/new.js` was created and matches /^LET/i', 1],
    ['path: src/new.js, regex: "n = .gr", flags: ms', 1, '`src/new.js` was created and matches /n = .gr/ms', 1],
  ],
  equals: [
    ['path: src/a.js, equals: let a = 1', 1, `${JS} and equals "let a = 1"`, 'workspace-gone'],
    ['path: src/a.js, equals: "let a = 1\\n"', 1, `${JS} and equals "let a = 1↵"`, 'workspace-gone'],
    [
      'path: src/a.js, equals: "let a = 1\\n\\n"',
      0,
      '`src/a.js` is "let a = 1", expected "let a = 1↵" (only white space differs)',
      'workspace-gone',
    ],
    [
      'path: src/a.js, equals: " let a = 1"',
      0,
      '`src/a.js` is "let a = 1", expected " let a = 1" (only white space differs)',
      'workspace-gone',
    ],
    ['path: data.json, equals: "{\\"port\\": 80}"', 1, '`data.json` was created and equals "{"port": 80}"', 1],
    ['path: data.json, equals: x', 0, '`data.json` is "{"port": 80}", expected "x"', 0],
    ['path: data.json, equals: ""', 0, '`data.json` is "{"port": 80}", expected ""', 0],
  ],
  'equals_file: the hash of a changed file is in the record': [
    ['path: src/a.js, equals_file: expected.txt', 1, `${JS} and equals the file \`expected.txt\``, 'workspace-gone'],
    [
      'path: src/a.js, equals_file: ./bare.txt',
      0,
      '`src/a.js` is "let a = 1↵", expected "let a = 1" (only white space differs) (`./bare.txt`)',
      'workspace-gone',
    ],
    ['path: src/b.js, equals_file: b.txt', 1, '`src/b.js` was modified and equals the file `b.txt`', 1],
    ['path: src/b.js, equals_file: expected.txt, negate: true', 1, '', 1],
    [
      'path: src/new.js, equals_file: expected.txt',
      0,
      '`src/new.js` is "let n = "größe"↵", expected "let a = 1↵" (`expected.txt`)',
      0,
    ],
  ],
  json_schema: [
    ['path: data.json, json_schema: {required: [port]}', 1, '`data.json` was created and matches the JSON Schema', 1],
    ['path: data.json, json_schema: schema.json', 1, '`data.json` was created and matches the JSON Schema', 1],
    ['path: data.json, json_schema: {required: [host]}', 0, '`data.json` does not match the JSON Schema: ', 0],
    ['path: src/new.js, json_schema: {}', 0, '`src/new.js` is not valid JSON: ', 0],
  ],
  'count: files that match path, state and content': [
    ['path: "src/*", count: 3', 1, JS, 'workspace-gone'],
    [
      'path: "src/*", count: 2',
      0,
      `3 files found, expected exactly 2: ${JS}, \`src/b.js\` was modified, \`src/new.js\` was created`,
      'workspace-gone',
    ],
    ['path: "src/*", count: 1', 0, '', 0],
    ['path: "src/*", count: {min: 3}', 1, JS, 'workspace-gone'],
    ['path: "src/*", count: {min: 2}', 1, JS, 1],
    ['path: "src/*", count: {min: 4}', 0, '3 files found, expected at least 4', 'workspace-gone'],
    ['path: "src/*", count: {max: 3}', 1, JS, 'workspace-gone'],
    ['path: "src/*", count: {max: 2}', 0, '3 files found, expected at most 2', 'workspace-gone'],
    ['path: "src/*", count: {max: 1}', 0, '', 0],
    ['path: "src/*", count: {min: 1, max: 3}', 1, JS, 'workspace-gone'],
    ['path: "src/*", count: {min: 4, max: 5}', 0, '3 files found, expected 4 to 5', 'workspace-gone'],
    ['path: "src/*", state: created, count: 1', 1, '`src/new.js` was created', 1],
    ['path: "src/*", state: created, count: 0', 0, '1 file found, expected no file: `src/new.js` was created', 0],
    ['path: "src/*", state: deleted, count: 0', 1, 'no file matches `src/*` and was deleted', 1],
    ['path: "src/*", contains: let a, count: 1', 1, `${JS} and contains "let a"`, 'workspace-gone'],
    [
      'path: "src/*", contains: console, count: 0',
      1,
      'no file matches `src/*` with that content (3 files without it)',
      'workspace-gone',
    ],
    ['path: "src/*", contains: let, count: 0', 0, '3 files found, expected no file', 0],
    ['path: "src/*", contains: let, count: {min: 1}', 1, JS, 1],
    ['path: "**/*", contains: let, count: 4', 1, JS, 'workspace-gone'],
    ['path: "src/*", contains: none, count: {min: 1}', 0, '0 files found, expected at least 1', 'workspace-gone'],
  ],
}

describe.each(Object.keys(CASES))('a file check: %s', group => {
  const cases = CASES[group] ?? []
  const checks = cases.map(([fields], index) => `{type: file, name: c${index}, ${fields}}`)

  it('has the expected grades, from the workspace and from the record', async () => {
    const { workspace, answer } = await worked(WORK)
    const graded = await gradeWork(checks, { workspace, answer }, FILES)
    const shown = graded.map(({ score, hits, misses, error }, index) => ({
      fields: cases[index]?.[0],
      score: score ?? error,
      text: [...hits, ...misses][0]?.slice(0, cases[index]?.[2].length) ?? '',
    }))
    expect(shown).toEqual(cases.map(([fields, score, text]) => ({ fields, score, text })))
    const recorded = await gradeWork(checks, { answer }, FILES)
    const expected = cases.map(([fields, , , recorded]) => [fields, recorded])
    expect(recorded.map(({ score, error }, index) => [cases[index]?.[0], score ?? error?.code])).toEqual(expected)
  })
})
