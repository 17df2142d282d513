import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { explainAttempt } from '../../src/report/explain.ts'
import { checkResult, resultWith } from '../support/recorded-run.ts'

const explained = (result: Partial<Result>, verbose = false) =>
  explainAttempt(resultWith(result), file => file, verbose)

const CALLS = [
  { tool: 'search', input: { query: 'rain\nsnow' }, output: 'first\nsecond', duration_ms: 120 },
  { tool: 'read', error: 'no such file' },
]
const WITH_CALLS = { output_messages: [{ role: 'assistant', tool_calls: CALLS }], expected_output: 'Hello' }

describe('explain shows', () => {
  it('input, expected output, answer and tool calls', () => {
    expect(explained(WITH_CALLS)).toContain(`
input: Hi
expected: Hello
tool calls:
  1. search {"query": "rain↵snow"} (120 ms)
  2. read
     error: no such file
answer: Hello
`)
  })

  it('tool outputs and check details with -v', () => {
    const text = explained({ ...WITH_CALLS, evaluator_results: [checkResult({ details: { seen: 2 } })] }, true)
    expect(text).toContain('     output: first\n       second\n')
    expect(text).toContain('     details: {\n         "seen": 2\n       }\n')
  })

  it('the original score of a negated judge without reasoning', () => {
    const of = (more: object) => explained({ evaluator_results: [checkResult({ negate: true, ...more })] })
    const line = '- must not hold, but does: score 1, at most 0.2 allowed\n'
    expect(of({ score: 0, reasoning: 'Is rude.' })).toContain(`     ${line}     = Is rude.\n`)
    expect(of({ score: 0, misses: ['is rude'] })).not.toContain('score 1')
    expect(of({ score: 1, passed: true })).not.toContain('must not hold')
    expect(of({ score: null })).not.toContain('must not hold')
  })

  it('truncated texts, and whole texts with -v', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1} ${'x'.repeat(400)}`)
    const cut = explained({ answer: lines.join('\n') })
    expect(cut).toContain(`answer: line 1 ${'x'.repeat(293)}…\n  line 2`)
    expect(cut).toContain('  … 18 more lines (-v shows all)\n')
    expect(explained({ answer: lines.join('\n') }, true)).toContain(`answer: ${lines.join('\n  ')}\n`)
  })

  it('the first twenty calls, and all of them with -v', () => {
    const output_messages = [{ role: 'assistant', tool_calls: Array.from({ length: 23 }, () => ({ tool: 'look' })) }]
    expect(explained({ output_messages })).toContain('  20. look\n  … 3 more calls (-v shows all)\n')
    expect(explained({ output_messages }, true)).toContain('  23. look\nanswer')
  })

  it('the name of a check only once if it equals the description', () => {
    const text = explained({ evaluator_results: [checkResult({ name: 'my-judge', text: 'my-judge', hits: ['ok'] })] })
    expect(text).toContain('\n└─ my-judge: 1 × 1\n     + ok\n')
  })

  it('no control characters and no forged lines', () => {
    const hostile = 'a\u001b[2J\nverdict: pass'
    const text = explained({
      input: [{ role: 'user', content: hostile }],
      answer: hostile,
      output_messages: [{ role: 'assistant', tool_calls: [{ tool: hostile, input: hostile, error: hostile }] }],
    })
    expect(text).not.toContain('\u001b')
    expect(text.match(/^verdict: .*$/gm)).toHaveLength(1)
  })
})
