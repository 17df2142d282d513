import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/model/answer.ts'
import { gradeChecks, gradeOf } from '../support/checks.ts'
import { cpuTimeOf } from '../support/cpu-time.ts'
import { answerWith } from './trajectories.ts'

const refund = (input: unknown): ToolCall => ({ tool: 'issue_refund', input })

async function missesOf(entry: string, calls: readonly ToolCall[]): Promise<string[] | undefined> {
  const [result] = await gradeChecks([`{type: tool_trajectory, expected: [${entry}]}`], answerWith(calls))
  return result?.misses
}

describe('tool_trajectory', () => {
  const AMOUNT = '{tool: issue_refund, args: {amount: 40}}'

  it('names the arguments of a call and the expected ones', async () => {
    expect(await missesOf(AMOUNT, [refund({ amount: 42.5 })])).toEqual([
      'issue_refund was called with {"amount": 42.5}, expected {"amount": 40}',
    ])
  })

  it('names a call without arguments', async () => {
    expect(await missesOf(AMOUNT, [{ tool: 'issue_refund' }])).toEqual([
      'issue_refund was called with no arguments, expected {"amount": 40}',
    ])
  })

  it('names the tool that was not called, with the expected arguments', async () => {
    expect(await missesOf(AMOUNT, [{ tool: 'search' }])).toEqual([
      'issue_refund was not called, expected with {"amount": 40}',
      expect.stringMatching(/^expected: /),
    ])
  })

  it('reports the closest of several calls', async () => {
    const calls = [refund({ amount: 1, to: 'x' }), refund({ amount: 40, to: 'bob' }), refund({})]
    const [miss] = (await missesOf('{tool: issue_refund, args: {amount: 40, to: ann}}', calls)) ?? []
    expect(miss).toBe(
      'issue_refund was called 3 more times, never with {"amount": 40, "to": "ann"}; closest: {"amount": 40, "to": "bob"}, expected {"amount": 40, "to": "ann"}',
    )
  })

  it('reports only the differences of long arguments', async () => {
    const note = 'n'.repeat(150)
    const entry = `{tool: issue_refund, args: {amount: 40, note: ${note}, customer: {id: 8}, why: late}}`
    const call = refund({ amount: 42.5, note, customer: { id: 7, name: 'Ann' } })
    expect(await missesOf(entry, [call])).toEqual([
      'issue_refund was called with other arguments than expected: amount is 42.5, expected 40; customer.id is 7, expected 8; why is missing, expected "late"',
    ])
  })

  it('reports extra arguments that args_match does not allow', async () => {
    const note = 'n'.repeat(150)
    const call = refund({ amount: 40, note })
    expect(await missesOf('{tool: issue_refund, args: {amount: 40}, args_match: exact}', [call])).toEqual([
      `issue_refund was called with other arguments than expected: note is "${'n'.repeat(99)}…, not expected`,
    ])
  })

  it('stays on one line for any arguments', async () => {
    const [miss = ''] = (await missesOf(AMOUNT, [refund({ amount: 'a\nb\r\n\t' })])) ?? []
    expect(miss).toBe('issue_refund was called with {"amount": "a↵b␍↵␉"}, expected {"amount": 40}')
  })
})

describe('equals', () => {
  const miss = async (value: string, answer: string) =>
    (await gradeOf(`{type: equals, value: ${JSON.stringify(value)}}`, answer)).misses[0]

  it('shows the lines around the first difference of long texts', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1} of the letter`)
    const changed = lines.with(9, 'line 10 of another letter')
    expect(await miss(lines.join('\n'), changed.join('\n'))).toBe(
      [
        'the answer differs from the expected text at line 10: "line 10 of another letter", expected "line 10 of the letter"',
        'from line 8 (- expected, + answer):',
        '  line 8 of the letter',
        '  line 9 of the letter',
        '- line 10 of the letter',
        '+ line 10 of another letter',
        ...lines.slice(10, 21).map(line => `  ${line}`),
        '… 9 more lines',
      ].join('\n'),
    )
  })

  it('shows a line break that differs', async () => {
    const text = 'x'.repeat(60)
    expect(await miss(`${text}\n${text}`, `${text}${text}`)).toBe(
      [
        `the answer differs from the expected text at line 1: "…${'x'.repeat(80)}…", expected "…${'x'.repeat(30)}↵${'x'.repeat(49)}…" (only white space differs)`,
        'from line 1 (- expected, + answer):',
        `- ${text}`,
        `- ${text}`,
        `+ ${text}${text}`,
      ].join('\n'),
    )
  })

  it('shows the first difference of long lines', async () => {
    const text = 'x'.repeat(100)
    expect(await miss(`${text}yes`, `${text}no`)).toBe(
      `the answer differs from the expected text at character 101: "…${'x'.repeat(30)}no", expected "…${'x'.repeat(30)}yes"`,
    )
    expect(await miss(`${text}yes`, text)).toBe(
      `the answer differs from the expected text at character 101: "…${'x'.repeat(30)}", expected "…${'x'.repeat(30)}yes"`,
    )
  })

  it('never splits a character', async () => {
    const faces = '😀'.repeat(60)
    for (const length of [1, 2, 31, 52]) {
      const found = await miss(`${faces}🙃`, `${'😀'.repeat(length)}😇${faces}`)
      expect(found).not.toMatch(/\p{Surrogate}/u)
    }
  })

  it('is fast for long texts', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`)
    expect(await cpuTimeOf(() => miss('short', lines.join('\n')))).toBeLessThan(3000)
  })
})

describe('the text of a check in its record', () => {
  it('has marks for line breaks, and patterns unchanged', async () => {
    const checks = [
      '{type: equals, value: "a\\nb"}',
      '{type: contains_all, value: ["it\'s\\tx", c], negate: true}',
      "{type: regex, value: 'a\\nb'}",
      '{type: composite, negate: true, evaluators: [{type: starts_with, value: "a\\nb"}]}',
    ]
    const results = await gradeChecks(checks, { text: 'x' })
    expect(results.map(({ text }) => text)).toEqual([
      'Output exactly equals: a↵b',
      "Output does not contain all of: 'it's␉x', 'c'",
      'Output matches regex: a\\nb',
      "Output does not start with 'a↵b'",
    ])
  })
})

describe('field_accuracy', () => {
  it('reports only the differences of long values', async () => {
    const street = 's'.repeat(120)
    const [result] = await gradeChecks(
      ['{type: field_accuracy, fields: [{path: address}, {path: total}]}'],
      { text: JSON.stringify({ address: { street, city: 'Paris' }, total: 42.5 }) },
      { fields: `expected_output: {address: {street: ${street}, city: Rome}, total: 40}` },
    )
    expect(result?.misses).toEqual(['address.city is "Paris", expected "Rome"', 'total is 42.5, expected 40'])
  })
})

describe('ends_with', () => {
  const missOf = async (answer: string) => (await gradeOf('{type: ends_with, value: Bye}', answer)).misses

  it('shows the end of a long answer', async () => {
    const end = 'e'.repeat(80)
    expect(await missOf(`${'b'.repeat(200)}${end}\n`)).toEqual([`does not end with "Bye", but with "…${end}"`])
  })

  it('never splits a character, and stays on one line', async () => {
    expect(await missOf(`${'😀'.repeat(200)}\na${'b'.repeat(76)}`)).toEqual([
      `does not end with "Bye", but with "…😀↵a${'b'.repeat(76)}"`,
    ])
    expect(await missOf(`${'😀'.repeat(200)}${'b'.repeat(79)}`)).toEqual([
      `does not end with "Bye", but with "…${'b'.repeat(79)}"`,
    ])
  })

  it('does not repeat a short answer', async () => {
    expect(await missOf('Hello')).toEqual(['does not end with "Bye"'])
    expect(await missOf('')).toEqual(['does not end with "Bye"'])
  })
})
