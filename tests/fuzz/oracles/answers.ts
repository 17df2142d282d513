import type { Answer } from '../../../src/model/answer.ts'

const CALLS = [
  { tool: 'Read', input: { file_path: '/a/SKILL.md', n: 1 }, output: 'x', duration_ms: 5 },
  { tool: 'Skill', input: { skill: 'csv-report' } },
  { tool: 'search', input: null, output: { deep: [{ er: '…' }] }, error: 'no' },
  { tool: '__proto__' },
]

/** Answers to grade. */
export const ANSWERS: readonly Answer[] = [
  { text: '' },
  { text: 'Hello, world' },
  { text: '{"name": "Ada", "total": "1,234.50", "date": "2024-02-30", "items": [1, {"a": null}]}' },
  { text: '```json\n{"a": 1}\n```\n```json\n[]\n```', finish_reason: 'length' },
  { text: `${'a'.repeat(3000)}\n`.repeat(3), token_usage: { input: 1, output: 2 } },
  { text: '\ud800\0\u202e', cost_usd: 0.5, duration_ms: 0, output_messages: [] },
  {
    text: 'x',
    output_messages: [{ role: 'assistant', content: 'x', tool_calls: CALLS }, { role: 'tool' }],
    token_usage: { input: 5, output: 0, cached: 1, reasoning: 0 },
    cost_usd: 1e300,
    duration_ms: 1e9,
    model: 'm',
  },
]

/** Replies of judge models. */
export const JUDGE_REPLIES = [
  '{"score": 0.5, "hits": ["a"], "misses": [], "reasoning": "so"}',
  '{"items": [{"id": "rubric-1", "satisfied": true, "reasoning": "yes"}]}',
  'I think it is good.',
  '',
]
