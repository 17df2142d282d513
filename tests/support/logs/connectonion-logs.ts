/** Files as ConnectOnion and its users write them. */
export interface Variant {
  readonly files: Readonly<Record<string, string>>
  /** The user messages. */
  readonly inputs: readonly string[]
}

const META = '{"tokens": 155, "cost": 0.0012, "duration_ms": 3595, "ts": "2025-12-25 11:56:56"}'
const MESSAGES = `[
    {"role": "system", "content": "You greet."},
    {"role": "user", "content": "greet"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "call_a", "type": "function", "function": {"name": "greet", "arguments": "{\\"name\\": \\"Zoë\\"}"}}]},
    {"role": "tool", "content": "Hello, Zoë!", "tool_call_id": "call_a"},
    {"role": "assistant", "content": "Hello, Zoë!"}
  ]`

/** A run file with its first key and its system prompt as raw YAML. */
function runFile(systemPrompt: string, messages = MESSAGES): string {
  return `agent: "agent.py"
system_prompt: ${systemPrompt}
model: "co/gemini-2.5-flash"
cwd: "/home/me"
tokens: 155
cost: 0.0012
duration_ms: 3595
timestamp: "2025-12-25 11:56:56"
messages: |
  ${messages}
`
}

function log(turns: string, runs = 2): string {
  return `name: greet
created: '2025-12-25 11:56:26'
updated: '2025-12-25 11:56:56'
runs: ${runs}
model: co/gemini-2.5-flash
turns:
${turns}`
}

const TURN = `- input: greet
  run: 2
  output: Hello, Zoë!
  tools_called:
  - greet(name='Zoë')
`

export const VARIANTS = {
  'history entries of run, status and meta': {
    inputs: ['greet'],
    files: {
      'greet.yaml': log(`${TURN}  expected: ''
  evaluation: ''
  meta: '${META}'
  history:
  - run: 1
    status: fail
    meta: '${META}'
`),
      'greet/run_2.yaml': runFile('"You greet."'),
    },
  },
  'evaluations as mappings, also in the history': {
    inputs: ['greet'],
    files: {
      'greet.yaml': log(`${TURN}  expected: Greets Zoë
  evaluation:
    passed: false
    summary: It greeted Bob.
  meta: '${META}'
  history:
  - run: 1
    status:
      passed: true
      summary: All was done.
    meta: '${META}'
`),
    },
  },
  'pass and analysis beside it, figures in the turn, a history in JSON': {
    inputs: ['greet'],
    files: {
      'greet.yaml': `agent: agent.py
${log(`${TURN}  expected: Greets Zoë
  tokens: 311
  cost: 0.0042
  ts: '2025-12-26 08:00:00'
  pass: false
  analysis: Not warm enough.
  history: |-
    [
    {"ts": "2025-12-25 11:56:56", "pass": true, "tokens": 155, "cost": 0.0012},
    {"ts": "", "pass": null, "tokens": 0, "cost": 0}]
`)}`,
      'greet/run_2.yaml': runFile('|\n  You greet.\n  Kindly.'),
    },
  },
  'run files that are no YAML': {
    inputs: ['greet'],
    files: {
      'greet.yaml': log(`${TURN}  history:\n  - run: 1\n    output: Hi\n`),
      // A first line that is indented more than the next.
      'greet/run_2.yaml': runFile('|\n      You greet.\n  messages: [1, 2]\n  Kindly.'),
      'greet/run_1.yaml': runFile(
        '"You greet."',
        '[\n    {"role": "user", "content": "greet"},\n    {"role": "assistant", "content": "\x7f Hi \u0085\u2028"}\n  ]',
      ),
    },
  },
  'turns of different runs': {
    inputs: ['greet', 'and Bob'],
    files: {
      'greet.yaml': log(
        `${TURN.replace('run: 2', 'run: 5')}  history:
  - run: 2
    status: ''
    meta: '${META}'
- input: and Bob
  run: 3
  output: Hello, Bob!
  tools_called: []
  expected: ''
  evaluation: pass
  meta: '${META}'
  history: []
`,
        5,
      ),
      'greet/run_5.yaml': runFile('""'),
    },
  },
  'missing keys': { inputs: ['greet'], files: { 'greet.yaml': 'turns:\n- input: greet\n' } },
  'missing keys in the history and in the run': {
    inputs: ['greet'],
    files: {
      'greet.yaml': 'turns:\n- input: greet\n  run: 3\n  history:\n  - {}\n  - run: 2\n',
      'greet/run_3.yaml': 'model: small\n',
      'greet/run_2.yaml': '',
    },
  },
  'numbers in place of texts': {
    inputs: ['12'],
    files: {
      '12.yaml':
        'name: 3\ncreated: 4\nupdated: 5\nruns: "2"\nmodel: 6\nturns:\n- {input: 12, run: "2", output: 7, tools_called: [8, 9.5], expected: 10, evaluation: 11, meta: 12, history: [{run: 1.0, output: 13}]}\n',
      '12/run_2.yaml': 'system_prompt: 1\nmodel: 2\nmessages: 3\n',
    },
  },
  'lists and mappings in place of texts': {
    inputs: ['greet'],
    files: {
      'greet.yaml': `name: [a]
created: {b: 1}
updated: []
runs: {c: 2}
model: [d, {e: f}]
turns:
- input: greet
  run: [1]
  output: {said: [Hello]}
  tools_called: {greet: Zoë}
  expected: [Hello, {or: Hi}]
  evaluation: [pass]
  meta: [1]
  history: {run: 1}
- just a text
- [a, list]
`,
      'greet/run_1.yaml': 'system_prompt: [1]\nmodel: {a: b}\nmessages: {role: user}\n',
    },
  },
  'nothing in place of everything': {
    inputs: ['greet'],
    files: {
      'greet.yaml':
        'name:\ncreated: null\nupdated: ~\nruns: Null\nmodel: NULL\nturns:\n- input: greet\n  run: ~\n  output: null\n  tools_called: ~\n  expected:\n  evaluation: ~\n  meta: ~\n  history: ~\n- ~\n',
      'greet/run_1.yaml': 'null\n',
    },
  },
  'wrong types deeper down': {
    inputs: ['greet'],
    files: {
      'greet.yaml': `turns:
- input: greet
  run: 2
  output: Hello
  tools_called: [~, [greet], {greet: 1}, 'greet(name=', ')(', "f('${'a'.repeat(60)})"]
  evaluation: {passed: [], summary: {a: b}}
  pass: {}
  analysis: []
  meta: {tokens: many, cost: [], duration_ms: {a: 1}, ts: [1]}
  history:
  - ~
  - 7
  - {run: 1, output: [Hi], meta: '{"tokens": {}, "cost": "0.5", "ts": null}', status: [x]}
`,
      'greet/run_2.yaml': `messages: |
  [
    {"role": "user", "content": ["greet", {"text": 1}]},
    {"role": "assistant", "tool_calls": [null, 1, "x", {}, {"id": 1, "function": null}, {"id": "a", "function": "f"}, {"id": "b", "function": {"name": 3}}]},
    {"role": "assistant", "tool_calls": {"a": 1}},
    {"role": "tool", "tool_call_id": 5, "content": {"a": 1}},
    {"role": "narrator", "content": null},
    {"role": "assistant", "content": {"said": "Hello"}}
  ]
`,
      'greet/run_1.yaml': 'messages: |\n  [{"role": 1}, "x"]\n',
    },
  },
  'wrong types before the last turn': {
    inputs: ['greet', 'again'],
    files: {
      'greet.yaml': `turns:\n- {input: greet, run: 1, output: Hello}\n- {input: again, run: 1, output: Hello}\n`,
      'greet/run_1.yaml': `messages: |
  [
    {"role": "user", "content": {"text": "greet"}},
    {"role": "assistant", "tool_calls": [null, 1, {"id": "a", "function": {"name": "f", "arguments": [1]}}, {"id": 2}]},
    {"role": "tool", "content": [null], "tool_call_id": null},
    {"role": "assistant", "tool_calls": "none", "content": 5},
    {"role": "user", "content": "again"},
    {"role": "assistant", "tool_calls": [[]], "content": "Hello"}
  ]
`,
    },
  },
  'messages as a list of YAML': {
    inputs: ['greet'],
    files: {
      'greet.yaml': log(TURN),
      'greet/run_2.yaml':
        'messages:\n- role: user\n  content: greet [all]\n- role: assistant\n  content: Hello, [Zoë]!\n',
    },
  },
} as const satisfies Record<string, Variant>
