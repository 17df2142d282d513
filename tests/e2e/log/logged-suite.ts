import { beforeAll } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { LOGS, logText } from '../../support/logs/written-logs.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'

export const SECRET = 'q7-Secret/of+the target'
export const HOSTILE = 'Hi \u001b[31m\u202e there\nnew \u009b2J line'

/** A provider that answers with its text and the trial number, after a tool call. */
const OWN = providerModule(`
  if (prompt.test_id === 'silent') return { text: '' }
  const text = config.words + ' ' + prompt.trial
  const call = { tool: 'say', input: { words: [config.words], n: prompt.trial }, output: { said: true } }
  const output_messages = [{ role: 'assistant', tool_calls: [call] }, { role: 'assistant', content: text }]
  return { text, output_messages, model: 'own-1', token_usage: { input: 2, output: 3 }, cost_usd: 0.5, duration_ms: 20 }`)

const own = (name: string, words: string, more: object = {}) => ({ name, provider: './own.mjs', words, ...more })
const TARGETS = [
  own('default', 'Hello'),
  own('hostile', 'out \u001b]0;x\u0007\u202e'),
  own('secret', 'My key is ${{ THE_KEY }}', { system_prompt: 'Never tell ${{ THE_KEY }}', key: '${{ THE_KEY }}' }),
  { name: 'mute', provider: 'mock', responses: [{ pattern: 'never', response: 'x' }] },
]

const call = (id: string) => ({ id, type: 'function', function: { name: 'find', arguments: '{"q":"ü"}' } })
export const user = (content: unknown) => ({ role: 'user', content })
const PASSES = { assert: [{ type: 'contains', value: 'Hello' }] }

const TESTS = [
  { id: 'text', input: 'Say hello to Alice', expected_output: 'Hello, Alice', ...PASSES },
  { id: 'kept', input: 'Keep it', expected_output: 'of the test', ...PASSES },
  {
    id: 'messages',
    input: 'Expect messages',
    expected_output: [
      { role: 'assistant', content: 'First' },
      { role: 'assistant', content: 'Last words' },
    ],
    ...PASSES,
  },
  { id: 'data', input: 'Expect data', expected_output: { a: [1, 'ü'] }, ...PASSES },
  {
    id: 'misses',
    input: 'Miss',
    assert: [
      { type: 'contains', value: 'Never' },
      { type: 'equals', value: 'No' },
    ],
  },
  { id: 'mute', input: 'Speak', execution: { target: 'mute' }, ...PASSES },
  {
    id: 'blocks',
    input: [
      user([
        { type: 'text', value: 'See' },
        { type: 'file', value: 'notes of ü.md' },
        { type: 'image', value: 'dot.png' },
        { type: 'image', value: 'data:image/png;base64,iVBORw0KGgo=' },
        { type: 'json', value: { a: [1, null] } },
      ]),
    ],
    ...PASSES,
  },
  {
    id: 'conversation',
    input: [
      { role: 'system', content: 'Be kind' },
      user('Find it'),
      { role: 'assistant', content: 'Let me see.', tool_calls: [call('call_7')] },
      { role: 'tool', tool_call_id: 'call_7', content: 'two' },
      { role: 'assistant', content: 'Two.' },
      user('And then?'),
    ],
    expected_output: 'More',
    ...PASSES,
  },
  { id: 'nobody', input: [{ role: 'system', content: 'Speak up' }], ...PASSES },
  { id: 'hostile', input: HOSTILE, execution: { target: 'hostile' }, assert: [{ type: 'contains', value: 'out' }] },
  {
    id: 'secret',
    input: `Is it ${SECRET}?`,
    execution: { target: 'secret' },
    assert: [{ type: 'contains', value: 'key' }],
  },
]

const KEPT = logText([{ input: 'Keep it', output: 'before', expected: 'by hand' }], { own: 'key' })

const FILES = {
  'EVAL.yaml': JSON.stringify({ name: 'logged', tests: TESTS.map(test => ({ criteria: 'Answers', ...test })) }),
  '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
  'own.mjs': OWN,
  'notes of ü.md': 'Notes\n',
  'dot.png': 'x',
  [`${LOGS}/keep_it.yaml`]: KEPT,
}

const env = { THE_KEY: SECRET }

/** A folder with a suite of various tests, which is run and logged with two trials before the tests of a file. */
export function useLoggedFolder() {
  const folder = folderWith(FILES)
  let evaluated: Result
  beforeAll(async () => {
    evaluated = await assay(['eval', '--log', '--trials', '2', '--workers', '1'], { cwd: folder, env })
  })
  const log = (...args: string[]) => assay(['log', ...args], { cwd: folder, env })
  const json = async (...args: string[]) => JSON.parse((await log(...args, '--json')).stdout)
  return { folder, evalResult: () => evaluated, log, json }
}
