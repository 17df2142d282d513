import { describe, expect, it } from 'vitest'
import { loadTestWithDiagnostics } from '../support/checks.ts'

describe('a file check', () => {
  it.each<[fields: string, diagnostics: [code: string, message: string][]]>([
    ['path: ../a', [['bad-path', '`../a` cannot match a file of the workspace: it contains `..`']]],
    ['path: /etc/passwd', [['bad-path', '`/etc/passwd` cannot match a file of the workspace: it is absolute']]],
    [
      'path: .git/config',
      [
        [
          'bad-path',
          '`.git/config` cannot match a file of the workspace: `.git` is not copied to workspaces, and changes in it are not recorded',
        ],
      ],
    ],
    ['path: a, state: deleted, contains: x', [['unread-setting', '`contains` has no effect with `state: deleted`']]],
    ['path: a, state: absent, equals: x', [['unread-setting', '`equals` has no effect with `state: absent`']]],
    ['path: a, state: absent, count: 0', [['unread-setting', '`count` has no effect with `state: absent`']]],
    ['path: a, contains: x, regex: y', [['two-spellings', '`contains` and `regex` cannot be used together']]],
    ['path: a, flags: i', [['unread-setting', '`flags` has no effect without `regex`']]],
    ['path: a, regex: "("', [['bad-regex', 'this is not a regular expression: unterminated group']]],
    ['path: a, regex: x, flags: ii', [['bad-regex', 'a flag is repeated']]],
    ['path: a, count: {min: 3, max: 2}', [['bad-range', '`min` is 3, above `max`, which is 2']]],
    ['path: a, count: {}', [['missing-key', 'nothing to check: give at least one of `min`, `max`']]],
    ['path: a, state: gone', [['bad-choice', expect.anything() as unknown as string]]],
    ['path: a, equals_file: none.txt', [['file-missing', expect.anything() as unknown as string]]],
    ['path: a, json_schema: {tpye: object}', [['bad-json-schema', expect.anything() as unknown as string]]],
  ])('reports %s before the run', async (fields, expected) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: file, ${fields}}`])
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual(expected)
  })
})
