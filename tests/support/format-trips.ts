import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { convertEvals } from '../../src/operations/convert-evals.ts'
import { FORMATS, type Format, transpile } from '../../src/transpile/transpile.ts'
import { folderWith } from './program.ts'
import { loadSuite } from './transpile-suite.ts'

/** A suite in a format: its files by path, and what was reported as lost. */
interface Exported {
  readonly format: Format
  readonly files: Readonly<Record<string, string>>
  readonly lost: string
}

const MANIFEST = { 'plugin/.claude-plugin/plugin.json': '{"name": "suite"}' }

/** Writes a suite in a format. */
async function exportSuite(text: string, format: Format, files: Record<string, string> = {}): Promise<Exported> {
  const home = folderWith({ ...MANIFEST, ...files, 'plugin/EVAL.yaml': text })
  const made = transpile(await loadSuite(join(home, 'plugin/EVAL.yaml')), format)
  const lost = made.issues.filter(({ code }) => code !== 'few-queries').map(({ message }) => message)
  return {
    format,
    files: Object.fromEntries(made.files.map(({ file, content }) => [file, content])),
    lost: lost.join('\n'),
  }
}

/** Reads what was exported as a suite again. The files stay beside it, since it refers to some of them. */
async function importSuite({ format, files }: Exported): Promise<{ text: string; files: Record<string, string> }> {
  const names = Object.keys(files)
  const evals = names.find(name => name.endsWith('evals.json')) ?? names[0] ?? ''
  const own = Object.fromEntries(Object.entries(files).map(([file, text]) => [`plugin/evals/${file}`, text]))
  const home = folderWith({ ...MANIFEST, ...own })
  const isPlugin = format === 'plugin-evals'
  const from = join(home, 'plugin', isPlugin ? '' : `evals/${evals.replace('trigger-', '')}`)
  const output = join(home, 'plugin/EVAL.yaml')
  const { text, diagnostics } = await convertEvals(from, { output }, nodeHost())
  return { text: text ?? expect.unreachable(JSON.stringify(diagnostics)), files: isPlugin ? { ...own } : {} }
}

/** Everything that has a meaning: marks name the source, and a script calls the one that it was read from. */
function meaningOf({ files }: Exported): Record<string, string> {
  const entries = Object.entries(files).filter(([file]) => !file.endsWith('scaffold.sh'))
  return Object.fromEntries(entries.map(([file, text]) => [file, text.replace(/^# Written by .*\n/m, '')]))
}

/** Expects that a suite that was written once is written the same again, after it was read. */
export async function expectStable(suite: object, format: Format): Promise<void> {
  const first = await exportSuite(JSON.stringify(suite), format)
  if (Object.keys(first.files).length === 0) return
  const { text, files } = await importSuite(first)
  const again = await exportSuite(text, format, files)
  expect(meaningOf(again)).toEqual(meaningOf(first))
}

/** What is reported when a key of a case is lost in an evals.json. */
const WORDS: Readonly<Record<string, RegExp>> = {
  runs: /execution\.trials/,
  timeout_seconds: /execution\.timeout_seconds/,
  max_turns: /settings of the agent/,
  allowed_tools: /settings of the agent/,
  append_system_prompt: /a system message/,
  description: /`description`/,
  tags: /metadata\.tags/,
  'case.yaml': /messages other than|setup of the workspace/,
  mocks: /mocked servers/,
  weight: /weights/,
  arm: /applies_to/,
}

/** Expects that what differs after the way through another format was reported as lost. */
export async function expectAnnounced(suite: object, first: Format, second: Format): Promise<void> {
  const start = await exportSuite(JSON.stringify(suite), first)
  if (Object.keys(start.files).length === 0) return
  const read = await importSuite(start)
  const between = await exportSuite(read.text, second, read.files)
  if (Object.keys(between.files).length === 0) {
    expect(between.lost).toContain('is left out')
    return
  }
  const back = await importSuite(between)
  const end = await exportSuite(back.text, first, back.files)
  const lost = `${between.lost}\n${end.lost}`
  if (lost.trim() === '') expect(meaningOf(end)).toEqual(meaningOf(start))
  if (first !== 'plugin-evals') return
  const [before, after] = [start, end].map(each => Object.entries(meaningOf(each)))
  for (const [key, words] of Object.entries(WORDS)) {
    const count = (files: [string, string][] = []) =>
      files.filter(([file, text]) => file.includes(`/${key}`) || new RegExp(`^${key}:`, 'm').test(text)).length
    if (count(before) > count(after)) expect(lost, key).toMatch(words)
  }
}

/** Every two formats, in both directions. */
export const FORMAT_PAIRS: readonly (readonly [Format, Format])[] = FORMATS.flatMap(first =>
  FORMATS.filter(second => second !== first).map(second => [first, second] as const),
)

const text = fc.oneof(
  fc.constantFrom(
    'plain',
    "it's",
    ' spaced ',
    'a: b',
    '- x',
    '---',
    '"q" \\d',
    '$22,500 (net)',
    '大 😀',
    'line\nbreak',
    'yes',
    '1e3',
    '{{x}}',
    '#',
    '\u2028',
    'a\r\nb',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
)
const visible = text.filter(value => /[^\s\p{C}]/u.test(value))

const CHECKS = [
  ...['contains', 'icontains', 'starts_with', 'ends_with', 'equals'].map(type =>
    visible.map(value => ({ type, value })),
  ),
  ...['contains_any', 'contains_all', 'icontains_all'].map(type =>
    fc.array(visible, { minLength: 1, maxLength: 3 }).map(value => ({ type, value })),
  ),
  visible.map(value => ({ type: 'contains', value, negate: true })),
  visible.map(criteria => ({ type: 'rubrics', criteria })),
  fc.array(visible, { minLength: 2, maxLength: 3 }).map(rubrics => ({ type: 'rubrics', rubrics })),
  fc.constantFrom(
    { type: 'regex', value: '^- ', flags: 'm', count: 2 },
    { type: 'regex', value: 'a', negate: true },
    { type: 'regex', value: 'a', count: { min: 2 } },
    { type: 'regex', value: 'x', subject: { file: 'out/a b.txt' } },
    { type: 'regex', value: 'x', subject: 'files' },
    { type: 'regex', value: 'x', subject: 'transcript' },
    { type: 'contains', value: 'x', weight: 2 },
    { type: 'contains', value: 'x', weight: 0 },
    { type: 'contains', value: 'x', required: true },
    { type: 'contains', value: 'x', applies_to: ['with-plugin'], weight: 0 },
    { type: 'tool_used', tool: 'Bash', input_match: 'npm "test"' },
    { type: 'tool_used', tool: 'Bash', min: 0, max: 2 },
    { type: 'tool_used', tool: 'Skill', max: 0 },
    { type: 'tool_used', tool: 'rm', max: 0, description: 'Keeps files' },
    { type: 'tool_order', before: 'Read', after: { tool: 'Edit', input_match: 'a' } },
    { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'a' }, { tool: 'b' }] },
    { type: 'tool_trajectory', expected: [{ tool: 'a' }], forbidden: ['rm'] },
    { type: 'trigger_judge', skill: 'csv' },
    { type: 'trigger_judge', skill: 'csv', should_trigger: false },
    { type: 'file', path: 'a/*.md', state: 'created' },
    { type: 'file', path: 'a.md', state: 'created', count: 0 },
    { type: 'file', path: 'a.md', contains: 'x.y' },
    { type: 'llm_judge', prompt: 'Is it kind?' },
    { type: 'is_json' },
    { type: 'cost', budget: 1 },
    { type: 'composite', evaluators: [{ type: 'contains', value: 'x' }] },
  ),
]

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const executionFields = {
  trials: maybe(fc.integer({ min: 1, max: 60 })),
  timeout_seconds: maybe(fc.constantFrom(60, 300, 20.5)),
  threshold: maybe(fc.constantFrom(0.5, 1)),
  agent: maybe(fc.constantFrom({ max_turns: 4 }, { allowed_tools: ['Read', 'Bash(git:*)'], env: { EVAL_A: 'yes' } })),
}
const history = fc.constantFrom<object[]>(
  [],
  [{ role: 'system', content: 'Be short' }],
  [
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Yes?', tool_calls: [{ id: 'c1', tool: 'Read', input: { a: 1 }, output: 'text' }] },
  ],
)
const MOCKS = { orders: { tools: { get: { input: { id: 'string' }, returns: 'Order {{input.id}}' } } } }

const test = fc.record({
  id: fc.constantFrom('one', 'Größe/eins', 'CON', 'a b', 'mocks', 'x'.repeat(80)),
  criteria: maybe(visible),
  description: maybe(visible),
  prompt: visible,
  history,
  tags: maybe(fc.constantFrom(['smoke'], ['a b', 'c'])),
  execution: fc.record(executionFields),
  mocks: maybe(fc.constant(MOCKS)),
  checks: fc.array(fc.oneof(...(CHECKS as fc.Arbitrary<object>[])), { minLength: 1, maxLength: 4 }),
})

/** Suites of every kind: some lose nothing, others much. */
export const suites: fc.Arbitrary<object> = fc
  .record({
    execution: fc.record(executionFields),
    tests: fc.uniqueArray(test, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
  })
  .map(({ execution, tests }) => ({
    name: 'suite',
    execution: { threshold: 1, ...defined(execution) },
    tests: tests.map(({ prompt, history, tags, checks, execution, ...fields }) => ({
      ...defined(fields),
      input: [...history, { role: 'user', content: prompt }],
      ...(tags ? { metadata: { tags } } : {}),
      execution: defined(execution),
      assert: withOneLabel(checks),
    })),
  }))

/** Two labels of one skill would contradict each other. */
function withOneLabel(checks: readonly object[]): readonly object[] {
  const isLabel = (check: object) => 'skill' in check
  const first = checks.find(isLabel)
  return checks.filter(check => !isLabel(check) || check === first)
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
