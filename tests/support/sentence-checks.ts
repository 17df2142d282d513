/** Checks of every type, whose sentences are tested: negated, with quotes, line breaks, other scripts, empty lists. */
export const SENTENCE_CHECKS: Readonly<Record<string, readonly object[]>> = {
  ...forTexts('contains', 'icontains', 'starts_with', 'ends_with', 'equals'),
  ...forLists('contains_any', 'contains_all', 'icontains_any', 'icontains_all'),
  regex: [
    { value: '\\d{4}-\\d{2}' },
    { value: 'it\'s \\\\ "quoted"', flags: 'i', negate: true },
    { value: 'line\nbreak\\\nand: more; of it, ', flags: 'ms' },
    { value: 'größer|大' },
    { value: 'a', count: 0 },
    { value: 'a: b', flags: 'i', count: 1, negate: true },
    { value: 'a', count: { min: 2 } },
    { value: 'a', count: { max: 3 }, subject: 'tool_calls' },
    {
      value: 'exactly 2 times: a',
      count: { min: 1, max: 2 },
      subject: { file: "it's a file: contains.txt" },
      negate: true,
    },
  ],
  is_json: [
    {},
    { subject: { file: 'package.json' } },
    { subject: 'transcript', allow_fenced: true, negate: true },
    { subject: { mock: 'orders' }, schema: { type: 'object' }, negate: true },
    { negate: true },
    { allow_fenced: true },
    { schema: { type: 'object', required: ["it's", 'größer\n'] }, allow_fenced: true },
    { schema: './schema file.json', negate: true },
  ],
  is_yaml: [{}, { negate: true }, { allow_fenced: true, subject: { file: 'a.yaml' }, negate: true }],
  is_xml: [{}, { negate: true }, { allow_fenced: true, subject: 'transcript' }],
  word_count: [{ min: 1 }, { max: 50, negate: true }, { min: 2, max: 2 }, { min: 0, max: 3 }, { min: 100, max: 150 }],
  ...forReferences('levenshtein', 'bleu'),
  rouge: [
    { value: 'a', variant: '1' },
    { value: ["it's: a, b", 'größer\n大'], variant: '2', threshold: 0.5, negate: true },
    { value: 'of at least 0.5 to me', threshold: 1e-7 },
  ],
  similar: [
    { target: 'embeddings', value: 'plain' },
    { target: "it's 'mine' of at least 0.5 to\\", value: "it's\n大", threshold: 0.25, negate: true },
    { target: 'e', value: ['a, b', 'of at least 0.5 to me'], subject: { file: 'a b.md' } },
  ],
  latency: [{ threshold: 500 }, { threshold: 0.5, negate: true }],
  cost: [{ budget: 0.05 }, { budget: 1e-7, negate: true }],
  token_usage: [
    { max_total: 1000, max_output: 200 },
    { max_input: 5, negate: true },
  ],
  execution_metrics: [
    { max_tool_calls: 10, max_duration_ms: 60_000 },
    {
      max_llm_calls: 3,
      max_tokens: 5,
      max_input_tokens: 3,
      max_output_tokens: 2,
      max_cost_usd: 0.5,
      target_exploration_ratio: 0.6,
    },
    { target_exploration_ratio: 0.25, exploration_tolerance: 0, negate: true },
  ],
  field_accuracy: [
    { fields: [{ path: 'total' }, { path: 'items[0].größe' }] },
    { fields: [{ path: 'total', required: true, weight: 2 }], negate: true },
    { fields: [{ path: 'total' }], subject: { mock: 'my-orders' } },
    { fields: [{ path: 'total' }], subject: { file: 'out/data.json' }, negate: true },
    {
      fields: [
        { path: 'total', match: 'numeric_tolerance', tolerance: 0.5, relative: true },
        { path: 'day', match: 'date', formats: ['DD/MM/YYYY', 'YYYY-MM-DD'] },
        { path: 'name', match: 'contains' },
        { path: 'name', match: 'regex' },
      ],
      aggregation: 'minimum',
    },
  ],
  tool_trajectory: [
    ...['any_order', 'in_order', 'exact', 'subset', 'superset'].flatMap(mode => [
      { mode, expected: [{ tool: 'search' }, { tool: 'mcp__files__读' }] },
      { mode, expected: [], negate: mode === 'exact' },
    ]),
    {
      expected: [{ tool: 'greet', args: { name: "O'Neil" }, max_duration_ms: 5 }],
      minimums: { search: 1, 'read file': 2 },
      maximums: { search: 3 },
      forbidden: ['delete_file', 'rm'],
      negate: true,
    },
    { forbidden: ['rm'] },
  ],
  tool_used: [
    { tool: 'Bash' },
    { tool: "it's größer", negate: true },
    { tool: 'mcp__orders__*', max: 0 },
    { tool: 'Bash', input_match: "npm (run )?'test'\n, counting all calls", min: 2 },
    { tool: 'Bash', output_match: ' and output matching \\\\', min: 1, max: 3, succeeded: true },
    { tool: 'a', min: 0, max: 2, succeeded: 'any' },
    { tool: 'a', args: { id: "A', 1", deep: { list: [1, null, 'größer'] } }, min: 2, max: 2, succeeded: false },
    { tool: 'a', input_match: 'x', output_match: 'y', args: {}, max: 0, succeeded: true, negate: true },
  ],
  tool_order: [
    { before: 'Read', after: 'Edit' },
    { before: "it's before", after: ' before ', which: 'any', negate: true },
    { before: { tool: 'Bash', input_match: "npm 'ci'\n" }, after: { tool: 'Bash', input_match: 'npm test' } },
    { before: 'a', after: { tool: 'b*', input_match: ' before ' }, which: 'any' },
  ],
  trigger_judge: [
    { skill: 'csv-analyzer' },
    { skill: "it's größer", should_trigger: false },
    { skill: 'csv-analyzer', negate: true },
    { skill: 'csv', scan: 'all', match: 'substring' },
  ],
  file: [
    { path: 'src/*.js' },
    { path: "it's größer/**", state: 'created', negate: true },
    { path: 'a', state: 'modified', contains: "it's\nhere" },
    { path: 'a', state: 'deleted', count: 0 },
    { path: '{a,b}', state: 'absent' },
    { path: 'a and b', regex: '^\\d+: x$', flags: 'im', count: { min: 1, max: 3 } },
    { path: 'a', regex: "x' and equals 'y", count: { min: 2 } },
    { path: 'a', equals: '', negate: true },
    { path: 'a', equals: 'the file', count: { max: 2 } },
    { path: 'a', equals_file: './schema file.json', count: 1 },
    { path: 'a', json_schema: { type: 'object', required: ["it's"] } },
    { path: 'a', state: 'created', json_schema: './schema file.json', count: 2 },
  ],
  file_changes: [
    { max_files: 0 },
    { expected: [{ path: 'a' }, { path: "it's; here", state: 'created' }], negate: true },
    { expected: [{ path: 'a', state: 'deleted' }], allowed: [] },
    { allowed: ['src/**', 'a, b'], forbidden: ['test/**', '{x,y}'], max_files: 3 },
  ],
  command: [
    { run: 'npm test' },
    { run: ['node', '--test', "it's"], cwd: 'sub', exit_code: 1, timeout_seconds: 5, negate: true },
    { run: 'x', stdout: { contains: 'a', regex: 'b', flags: 'i', equals: 'c\n' }, stderr: { equals: '' } },
  ],
  llm_judge: [
    {},
    { negate: true },
    { prompt: 'Is "{{answer}}"\nfriendly? größer' },
    { prompt: './prompt.md', negate: true },
    { subject: 'changes' },
    { prompt: 'Is it safe?', subject: 'mock_calls', negate: true },
    { prompt: 'Is it kind?', rubrics: ['Is short', { id: 'b', outcome: 'Is kind', required: true }] },
  ],
  agent_judge: [{}, { rubrics: ["The file isn't empty\nat all", 'Größe stimmt'], negate: true }],
  rubrics: [
    { criteria: 'Names November' },
    { criteria: "It's\nnot größer", negate: true },
    { criteria: 'Handles errors', subject: { file: 'src/a.ts' } },
    { rubrics: ['One', { id: 'two', score_ranges: { 0: 'Bad', 10: 'Very good' } }] },
  ],
  pairwise: [
    { against: 'target old', criteria: 'Names November' },
    { against: 'run latest', criteria: "It's\nshort, not größer", negate: true },
    { against: 'target old', criteria: 'Is short', votes: 3, target: 'judge' },
  ],
  code_judge: [
    { command: ['node', 'judge.mjs', '--name', "it's"] },
    { command: 'grep x | wc -l', negate: true },
    { name: 'format', description: 'Looks at the größe', command: 'true' },
  ],
  composite: [
    {
      evaluators: [
        { type: 'contains', value: 'a' },
        { type: 'latency', threshold: 5 },
      ],
    },
    { evaluators: [{ type: 'composite', evaluators: [{ type: 'contains', value: "b's" }] }], negate: true },
  ],
}

function forTexts(...types: string[]) {
  const values = ['plain', "it's", 'a "b"\nc\td\r\\n', ' größer 大 😀 ', '$22,500', "'"]
  return Object.fromEntries(
    types.map(type => [
      type,
      [
        ...values.map(value => ({ value })),
        { value: "no 'way'", negate: true },
        { value: 'x', subject: { file: 'src/a.ts' } },
        { value: "The list of changes contains 'y'", subject: { file: "a contains 'b'" }, negate: true },
        { value: 'x', subject: 'changes' },
        { value: 'x', subject: 'files' },
        { value: '{"a":1}', subject: { mock: 'orders' } },
      ],
    ]),
  )
}

function forLists(...types: string[]) {
  const lists = [['one'], ["it's", 'two, three', "'", 'a\nb'], ['größer', '大\\']]
  return Object.fromEntries(
    types.map(type => [
      type,
      [
        ...lists.map(value => ({ value })),
        { value: ['x', 'y'], negate: true },
        { value: ['x', 'y'], subject: 'tool_calls', negate: true },
      ],
    ]),
  )
}

/** Checks of types that compare with reference texts. */
function forReferences(...types: string[]): Record<string, object[]> {
  const checks = [
    { value: 'plain' },
    { value: "it's 'quoted', of at least 0.5 to\nyou", threshold: 0.25, negate: true },
    { value: ['größer', 'a, b: c', '大'], threshold: 1 },
  ]
  return Object.fromEntries(types.map(type => [type, checks]))
}
