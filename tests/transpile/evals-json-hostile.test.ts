import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'
import { hugeSize } from '../support/random-examples.ts'

describe('evals.json of other tools', () => {
  const read = async (value: unknown, files: Record<string, string> = {}) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    const file = join(folderWith({ 'evals/evals.json': text, ...files }), 'evals/evals.json')
    const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(), evaluators })
    const messages = diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`)
    return { tests: suites[0]?.tests ?? [], messages }
  }
  const item = (more: object = {}) => ({ prompt: 'p', expected_output: 'e', ...more })

  it('gives an eval without an id a unique one', async () => {
    const { tests, messages } = await read({ evals: [item({ id: 2 }), item(), item({ source_id: '3' }), item()] })
    expect(messages).toEqual([])
    expect(new Set(tests.map(({ id }) => id)).size).toBe(4)
  })

  it('reads a sentence that only resembles a check as a rubric', async () => {
    const assertions = [
      'Output matches regex: (?i)done',
      'Output is valid JSON: matching the schema of the API',
      'Is good',
    ]
    const { tests, messages } = await read({ evals: [item({ assertions })] })
    expect({ messages, types: tests[0]?.checks.map(({ type }) => type) }).toEqual({
      messages: [],
      types: ['rubrics', 'rubrics', 'rubrics'],
    })
  })

  it('reports an empty file as empty or as not a mapping', async () => {
    const { messages } = await read('')
    expect(messages).toHaveLength(1)
    expect(messages[0]).not.toContain('undefined')
  })

  it.each<readonly [string, unknown, readonly string[]]>([
    ['byte order mark', `\ufeff${JSON.stringify({ evals: [item()] })}`, []],
    ['tabs and CRLF', JSON.stringify({ evals: [item({ files: [] })] }, null, '\t').replaceAll('\n', '\r\n'), []],
    [
      'keys of others',
      { note: 'n', evals: [item({ id: 0, name: 'n', eval_name: 'e', must_have: ['x'], scorers: [] })] },
      [],
    ],
    ['statements with ids', { evals: [item({ assertions: [{ id: 'a', text: 'Is good', type: 'manual' }] })] }, []],
    ['a prompt with braces', { evals: [item({ prompt: '{{FIXTURE}} ${HOME}' })] }, []],
    ['a statement twice', { evals: [item({ assertions: ['a', 'a'], expectations: ['b', 'b', 'a'] })] }, []],
    [
      'an expected object',
      { evals: [item({ expected_output: { a: 1 } })] },
      ['5:26 wrong-type `expected_output` must be a string, found a mapping'],
    ],
    [
      'a list as prompt',
      { evals: [item({ prompt: ['p'] })] },
      ['4:17 wrong-type `prompt` must be a string, found a list'],
    ],
    [
      'half an id',
      { evals: [item({ id: 1.5 })] },
      ['6:13 wrong-type `id` must be a whole number or a string, found `1.5`'],
    ],
    [
      'two of a key',
      '{"evals": [{"prompt": "p", "prompt": "q", "expected_output": "e"}]}',
      ['1:28 duplicate-key duplicate key `prompt`'],
    ],
    [
      '__proto__',
      '{"evals": [{"prompt": "p", "__proto__": {}}]}',
      ['1:28 unsafe-yaml the key `__proto__` is not allowed'],
    ],
    ['other evals', { skill_name: 's', test_cases: [] }, ['1:1 missing-key `evals` is missing']],
  ])('%s', async (_, value, messages) => {
    expect((await read(value)).messages).toEqual(messages)
  })

  it('finds files beside the evals first, then in the folder above', async () => {
    const evals = [item({ files: ['both.txt', 'evals/below.txt'] })]
    const { tests, messages } = await read(
      { evals },
      { 'evals/both.txt': '1', 'both.txt': '2', 'evals/below.txt': '3' },
    )
    expect(messages).toEqual([])
    const blocks = tests[0]?.input
      .flatMap(({ content = [] }) => content)
      .flatMap(block => (block.type === 'file' ? [block.path] : []))
    expect(blocks?.map(path => path?.split('/').slice(-2).join('/'))).toEqual(['evals/both.txt', 'evals/below.txt'])
  })

  it('reads ten thousand evals', async () => {
    const count = hugeSize(10_000)
    const evals = Array.from({ length: count }, (_, id) => item({ id, assertions: ["Output contains 'x'", 'Is good'] }))
    const { tests, messages } = await read({ skill_name: 's', evals })
    expect({ count: tests.length, messages }).toEqual({ count, messages: [] })
  })
})
