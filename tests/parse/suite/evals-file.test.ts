import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { folderWith } from '../../support/program.ts'

describe('diagnostics of an evals.json', () => {
  it.each([
    ['no evals', '{"skill_name": "x", "evals": []}', '1:30 error out-of-range'],
    ['no prompt', '{"skill_name": "x", "evals": [{"id": 1}]}', '1:31 error missing-key'],
    [
      'an invalid label',
      '{"skill_name": "x", "evals": [{"prompt": "p", "should_trigger": "yes"}]}',
      '1:65 error wrong-type',
    ],
    [
      'labels for no skill',
      '{"evals": [{"prompt": "p", "should_trigger": true}]}',
      'error missing-key\n  `skill_name` is missing',
    ],
    ['an invalid statement', '{"evals": [{"prompt": "p", "assertions": [5]}]}', '1:43 error wrong-type'],
    [
      'two of an id',
      '{"evals": [{"id": 1, "prompt": "p", "expected_output": "e"}, {"id": 1, "prompt": "p", "expected_output": "e"}]}',
      'error duplicate-id',
    ],
    [
      'a file that is not there',
      '{"evals": [{"prompt": "p", "expected_output": "e", "files": ["x"]}]}',
      '1:62 error file-missing',
    ],
    ['no JSON', '{"evals": [', 'error yaml-syntax'],
  ])('%s', async (_, text, message) => {
    const file = join(folderWith({ 'evals.json': text }), 'evals.json')
    const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(), evaluators })
    expect(suites).toEqual([])
    const words = diagnostics.map(
      each => `${each.line}:${each.column} ${each.severity} ${each.code}\n  ${each.message}`,
    )
    expect(words.join('\n')).toContain(message)
  })
})
