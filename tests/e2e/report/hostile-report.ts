import type { Result } from '../../../src/model/result.ts'
import type { RunReader } from '../../../src/model/run-reader.ts'
import { checkResult } from '../../support/recorded-run.ts'
import { reportRun } from './report-runs.ts'

/** Texts that would run, load or link if they were not treated as plain text. */
export const HOSTILE = [
  '</script><img src=x onerror="window.ran=1">',
  '</SCRIPT ><script>window.ran=2</script>',
  '<!--<script>',
  '<img src="https://evil.test/x.png"><svg onload=window.ran=3>',
  '<a href="javascript:window.ran=4">click</a>',
  'javascript:window.ran=5',
  '" onmouseover="window.ran=6" x="',
  "'-window.ran=7-'",
  '${window.ran=8}{{window.ran=9}}',
  '<style>body{display:none}</style><base href="https://evil.test/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
  '<iframe srcdoc="<script>parent.ran=10</script>"></iframe>',
  '\u2028window.ran=11\u2029',
  '\u001b]8;;https://evil.test/\u0007link\u001b]8;;\u0007\u001b[31m\u009b2J',
  '\u202etxt.exe\u202c \u2066x',
  '\ud800 lone',
  '__proto__',
]

/** A run in which every text is hostile. */
export function hostileRun(): RunReader {
  return reportRun(HOSTILE.map(hostileTest))
}

function hostileTest(text: string, index: number): Partial<Result> {
  const check = checkResult({
    name: text,
    type: text,
    text,
    score: 0.5,
    hits: [text],
    misses: [text],
    reasoning: text,
    details: { [text]: text },
    file: text,
    items: [
      { id: text, text: `${text}!`, satisfied: false, weight: 1, required: true, passed: false, reasoning: text },
    ],
  })
  return {
    suite: text,
    file: text,
    test_id: `${index} ${text}`,
    description: text,
    criteria: text,
    note: text,
    conversation_id: text,
    tags: [text],
    metadata: { [text]: text },
    input: [
      { role: text, content: text },
      {
        role: 'user',
        content: [
          { type: 'image', value: text },
          { type: 'file', value: text, sha256: text },
        ],
      },
      { role: 'user', content: [{ type: 'image', value: 'data:image/svg+xml;base64,PHN2Zy8+' }] },
    ],
    expected_output: text,
    target: text,
    model: text,
    verdict: 'fail',
    score: 0.5,
    misses: [text],
    answer: `${text} and more`,
    finish_reason: text,
    workspace_path: text,
    output_messages: [
      {
        role: text,
        content: text,
        tool_calls: [{ tool: text, raw_tool: `${text}.`, input: text, output: text, error: text }],
      },
    ],
    evaluator_results: [{ ...check, evaluator_results: [check] }],
  }
}

/** An answer of two megabytes, and a transcript with 5,000 calls. */
export function hugeRun(): RunReader {
  const answer = 'A word, and another. '.repeat(100_000)
  const calls = Array.from({ length: 5000 }, (_, number) => ({
    tool: `tool-${number}`,
    input: { number },
    duration_ms: 1,
  }))
  return reportRun([
    { test_id: 'long', answer, expected_output: `${answer}!`, misses: [answer] },
    { test_id: 'busy', output_messages: [{ role: 'assistant', content: 'Many.', tool_calls: calls }] },
  ])
}
