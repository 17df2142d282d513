import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeWithPython, readPython } from '../../support/external/python.ts'
import { publishedLog } from '../../support/logs/published-log.ts'
import { assay, folderWith, run } from '../../support/program.ts'

const GREETER = join(import.meta.dirname, 'greeter.mjs')
const SYSTEM = 'You are a helpful assistant...'
const TARGET = {
  name: 'greeter',
  provider: 'cli',
  command: [process.execPath, GREETER],
  stdin: 'json',
  system_prompt: SYSTEM,
}

/** The published files of the format, with TIME, CWD and ids as placeholders. */
const LOG = publishedLog('TIME', 'TIME')
const RUN_1 = String.raw`system_prompt: "You are a helpful assistant..."
model: "gemini-2.5-flash"
cwd: "CWD"
tokens: 155
cost: 0.0
duration_ms: 4438
timestamp: "TIME"
messages: |
  [
    {"role": "system", "content": "You are a helpful assistant..."},
    {"role": "user", "content": "Say hello to Alice"},
    {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "greet", "arguments": "{\"name\": \"Alice\"}"}}]},
    {"role": "tool", "content": "Hello, Alice!", "tool_call_id": "call_1"},
    {"role": "assistant", "content": "Hello, Alice!"}
  ]
`
const RUN_2 = RUN_1.replace('4438', '3595')

/** The keys and types of the same files in Python, in order. */
const LOG_SHAPE = [
  ['name', 'str'],
  ['created', 'str'],
  ['updated', 'str'],
  ['runs', 'int'],
  ['model', 'str'],
  [
    'turns',
    {
      list: [
        [
          ['input', 'str'],
          ['run', 'int'],
          ['output', 'str'],
          ['tools_called', { list: ['str'] }],
          ['expected', 'str'],
          ['evaluation', 'str'],
          ['meta', 'str'],
          [
            'history',
            {
              list: [
                [
                  ['run', 'int'],
                  ['output', 'str'],
                  ['tools_called', { list: ['str'] }],
                  ['expected', 'str'],
                  ['evaluation', 'str'],
                  ['meta', 'str'],
                ],
              ],
            },
          ],
        ],
      ],
    },
  ],
]
const RUN_SHAPE = [
  ['system_prompt', 'str'],
  ['model', 'str'],
  ['cwd', 'str'],
  ['tokens', 'int'],
  ['cost', 'float'],
  ['duration_ms', 'int'],
  ['timestamp', 'str'],
  ['messages', 'str'],
]
const META_SHAPE = [
  ['tokens', 'int'],
  ['cost', 'float'],
  ['duration_ms', 'int'],
  ['ts', 'str'],
]
const SHAPES = `
import json, yaml

def shape(value):
    if isinstance(value, dict):
        return [[key, shape(part)] for key, part in value.items()]
    return {'list': [shape(part) for part in value]} if isinstance(value, list) else type(value).__name__

log = yaml.safe_load(open('.co/evals/say_hello_to_alice.yaml'))
runs = [yaml.safe_load(open(f'.co/evals/say_hello_to_alice/run_{n}.yaml')) for n in (1, 2)]
metas = [json.loads(each['meta']) for turn in log['turns'] for each in [turn, *turn['history']]]
print(json.dumps({'log': shape(log), 'runs': [shape(run) for run in runs], 'metas': [shape(meta) for meta in metas]}))
`

// The programs below are copies from the published format.
const LOAD_MESSAGES = `import json
import yaml

def load_messages(eval_dir: str, run: int = 1) -> list:
    """Load messages from run YAML file."""
    with open(f"{eval_dir}/run_{run}.yaml") as f:
        data = yaml.safe_load(f)
    return json.loads(data['messages'])

# Load run 1 messages
messages = load_messages(".co/evals/say_hello_to_alice", run=1)
`
const RUN_METADATA = `import yaml

with open('.co/evals/say_hello_to_alice/run_1.yaml') as f:
    run_data = yaml.safe_load(f)

print(f"Model: {run_data['model']}")
print(f"System prompt: {run_data['system_prompt']}")
print(f"CWD: {run_data['cwd']}")
print(f"Tokens: {run_data['tokens']}, Cost: \${run_data['cost']}")
`
const COMPARE_RUNS = `import yaml

with open('.co/evals/say_hello_to_alice.yaml') as f:
    data = yaml.safe_load(f)

turn = data['turns'][0]
print(f"Run {turn['run']}: {turn['output']}")

for hist in turn.get('history', []):
    print(f"Run {hist['run']}: {hist['output']}")
`
/** Continues the previous program. */
const PARSE_METADATA = `import json

turn = data['turns'][0]
meta = json.loads(turn['meta'])
print(f"Tokens: {meta['tokens']}, Cost: \${meta['cost']}, Duration: {meta['duration_ms']}ms")
`

let folder = ''
/** Timestamps in milliseconds before and after both runs. */
const around: number[] = []

beforeAll(async () => {
  folder = folderWith({ '.assay/targets.yaml': JSON.stringify({ targets: [TARGET] }) })
  around.push(Date.now())
  for (const [index, ms] of ['4438', '3595'].entries()) {
    // A time zone that no test machine uses.
    const env = { GREETER_MS: ms, TZ: 'Asia/Kathmandu' }
    const { code, stdout, stderr } = await assay(['log', 'run', 'Say hello to Alice', '--target', 'greeter'], {
      cwd: folder,
      env,
    })
    expect(stderr).toBe(`Logged as run ${index + 1} of say_hello_to_alice (.co/evals/say_hello_to_alice.yaml)\n`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello, Alice!\n' })
  }
  around.push(Date.now())
})

const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g
const textOf = (name: string) => readFileSync(join(folder, '.co/evals', name), 'utf8')
const withoutTimes = (text: string) => text.replaceAll(TIME, 'TIME').replaceAll(folder, 'CWD')

describe('an agent that greets Alice twice', () => {
  it('writes the published files', () => {
    expect(withoutTimes(textOf('say_hello_to_alice.yaml'))).toBe(LOG)
    expect(withoutTimes(textOf('say_hello_to_alice/run_1.yaml'))).toBe(RUN_1)
    expect(withoutTimes(textOf('say_hello_to_alice/run_2.yaml'))).toBe(RUN_2)
  })

  it('logs local time', () => {
    const [created, updated, second, first] = textOf('say_hello_to_alice.yaml').match(TIME) ?? []
    const runs = [1, 2].map(run => textOf(`say_hello_to_alice/run_${run}.yaml`).match(TIME))
    expect(runs).toEqual([[created], [updated]])
    expect([first, second]).toEqual([created, updated])
    for (const [time, ms] of [
      [created, 4438],
      [updated, 3595],
    ] as const) {
      const at = Date.parse(`${time?.replace(' ', 'T')}+05:45`)
      expect(at).toBeGreaterThanOrEqual(Math.floor((around[0] ?? 0) / 1000) * 1000)
      expect(at).toBeLessThanOrEqual((around[1] ?? 0) + ms)
    }
  })
})

describeWithPython('with Python', () => {
  it('writes the published keys with their types, in order', async () => {
    expect(await readPython(SHAPES, '', folder)).toEqual({
      log: LOG_SHAPE,
      runs: [RUN_SHAPE, RUN_SHAPE],
      metas: [META_SHAPE, META_SHAPE],
    })
  })

  it('writes files that the published programs can read', async () => {
    const parts = [LOAD_MESSAGES, 'print(json.dumps(messages))\n', RUN_METADATA, COMPARE_RUNS, PARSE_METADATA]
    const { stdout, stderr } = await run('python3', ['-c', parts.join('\n')], { cwd: folder })
    expect(stderr).toBe('')
    const [messages = '', ...lines] = stdout.split('\n')
    expect(JSON.parse(messages)).toEqual([
      { role: 'system', content: SYSTEM },
      { role: 'user', content: 'Say hello to Alice' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'greet', arguments: '{"name": "Alice"}' } }],
      },
      { role: 'tool', content: 'Hello, Alice!', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'Hello, Alice!' },
    ])
    expect(lines).toEqual([
      'Model: gemini-2.5-flash',
      `System prompt: ${SYSTEM}`,
      `CWD: ${folder}`,
      'Tokens: 155, Cost: $0.0',
      'Run 2: Hello, Alice!',
      'Run 1: Hello, Alice!',
      'Tokens: 155, Cost: $0.0, Duration: 3595ms',
      '',
    ])
  })
})
