import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { sentenceToCheck } from '../../src/spec/evals-to-suite.ts'
import { folderWith } from '../support/program.ts'
import { SENTENCE_CHECKS } from '../support/sentence-checks.ts'

const GOLDEN = join(import.meta.dirname, '../golden/sentences')

const SERVER = { tools: { get: { returns: 1 } } }
const MOCKS = { orders: SERVER, 'my-orders': SERVER }

const EXPECTED = JSON.stringify({ total: 3, items: [{ größe: 1 }], day: '2026-01-02', name: 'a' })

/** The sentences of each loaded check. */
async function sentencesOf(checks: readonly object[]): Promise<(readonly string[])[]> {
  const tests = checks.map((check, index) => ({
    id: `t${index}`,
    criteria: 'c',
    input: 'i',
    expected_output: EXPECTED,
    assert: [check],
  }))
  const folder = folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'sentences', mocks: MOCKS, tests }),
    'prompt.md': 'Is it kind?\n\nAnd "short"?\n',
    'schema file.json': '{}',
  })
  const { suites, diagnostics } = await loadFiles([join(folder, 'EVAL.yaml')], { host: nodeHost(folder), evaluators })
  const [suite] = suites
  if (!suite) expect.unreachable(JSON.stringify(diagnostics))
  return suite?.tests.map(({ checks: [check] }) => (check ? check.evaluator.sentences.write(check) : [])) ?? []
}

const typed = (type: string) => (SENTENCE_CHECKS[type] ?? []).map(fields => ({ type, ...fields }))

describe('the sentences of a check', () => {
  it.each(evaluators.map(({ type }) => type))('%s', async type => {
    const checks = typed(type)
    const hint = `add at least two checks of ${type}, one negated, to SENTENCE_CHECKS in tests/support/sentence-checks.ts`
    expect(checks.length, hint).toBeGreaterThan(1)
    const sentences = await sentencesOf(checks)
    const blocks = checks.map((check, index) => [JSON.stringify(check), ...(sentences[index] ?? [])].join('\n'))
    await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot(join(GOLDEN, `${type}.txt`))
  })
})

describe('a sentence that is read back', () => {
  const test = { expected_output: EXPECTED }
  /** The types whose sentences are complete. */
  const readable = evaluators.filter(({ sentences }) => sentences.parse).map(({ type }) => type)

  it.each(readable)('is the same check, or produces the same sentence: %s', async type => {
    const written = (await sentencesOf(typed(type))).flat()
    const back = written.map(sentence => sentenceToCheck(sentence, test, evaluators))
    expect((await sentencesOf(back)).flat()).toEqual(written)
    // Sentences about other comparisons of fields, and about mocked servers, which an evals.json has not, are not read back.
    const others = back.filter(check => check['type'] !== type)
    const mocked = typed(type).filter(check => /"mock/.test(JSON.stringify(check)))
    expect(others.length).toBe(mocked.length + (type === 'field_accuracy' ? 1 : 0))
  })

  it.each([
    "Output contains 'it's'",
    "Output contains 'a' and 'b'",
    'Output contains "a"',
    'Output contains',
    "Output contains 'a\\x'",
    "Output contains any of: 'a', ",
    'Output is valid JSON: or nearly so',
    'Output is valid JSON: matching the schema {not json',
    'Response time under a second',
    'Response time under 0500ms',
    'Cost under $1 million',
    'Token usage within limits: at most many in total',
    'Execution within metric bounds: at most 5 apples',
    'Fields a, b match expected values',
    'Agent called tools in order',
    'Agent called at least: search often',
    'Agent uses the skill csv-analyzer',
    'File a.txt exists',
    "File '' exists",
    "File 'a' exists and is good",
    "File 'a' were created",
    "Exactly 2 files 'a' was created",
    "File 'a' exists and contains ''",
    "File 'a' exists and matches regex: '('",
    "File 'a' exists and matches the schema {no json",
    'Agent changed files as asked: ',
    "Agent changed files as asked: modified 'a'; at most few",
    'Agent changed files as asked: at most 1 files; at most 2 files',
    "Shell command 'rm -rf .' exits with code 0",
    "Program 'node', '--test' exits with code 0",
    'Not the case: ',
    'The answer is kind',
  ])('is a rubric if it only resembles a check: %s', sentence => {
    expect(sentenceToCheck(sentence, { expected_output: undefined }, evaluators)).toEqual({
      type: 'rubrics',
      criteria: sentence,
    })
  })
})
