import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerPartNames } from '../../src/providers/shared/answer-parts.ts'
import { readProgramOutput as read } from '../support/program-output.ts'
import { examples } from '../support/random-examples.ts'

const ENVELOPE = { text: 'Hi', cost_usd: 0.5 }
const ONE_LINE = JSON.stringify(ENVELOPE)
const PRETTY = JSON.stringify(ENVELOPE, null, 2)

describe('an object with a key of an answer is an envelope', () => {
  it.each<[what: string, output: string]>([
    ['on one line', ONE_LINE],
    ['pretty-printed', `${PRETTY}\n`],
    ['with CRLF', `${PRETTY.replaceAll('\n', '\r\n')}\r\n`],
    ['with a byte order mark', `\ufeff${ONE_LINE}\n`],
    ['between blank lines', `\n \t\r\n${PRETTY}\n\n \u00a0\n`],
  ])('%s', (_, output) => {
    expect(read(output)).toEqual({ answer: ENVELOPE, warnings: [] })
    expect(read(output, { output_format: 'json' })).toEqual({ answer: ENVELOPE, warnings: [] })
  })

  it('reads tool calls and the finish reason beside the text', () => {
    const output = JSON.stringify({ text: 'Hi', tool_calls: [{ tool: 'Read' }], finish_reason: 'length' })
    expect(read(output).answer).toEqual({
      text: 'Hi',
      output_messages: [{ role: 'assistant', content: 'Hi', tool_calls: [{ tool: 'Read' }] }],
      finish_reason: 'length',
    })
  })

  it.each<[key: string, value: unknown]>([
    ['model', 'm'],
    ['cost_usd', 1],
    ['duration_ms', 1],
    ['token_usage', { input: 1 }],
    ['finish_reason', 'stop'],
  ])('is an error with only `%s`, which is not an answer', (key, value) => {
    expect(read(JSON.stringify({ [key]: value }))).toMatchObject({
      code: 'bad-response',
      message: 'the answer has no text and no messages',
    })
  })

  it.each(['{"error": ""}', '{"text": "x", "error": " \\n"}'])('reports an error without a message: %s', output => {
    expect(read(output)).toMatchObject({
      code: 'target-error',
      message: 'the target reported an error without a message',
    })
  })

  it.each(['text', 'output'])('keeps large integers of a structured `%s` exact', key => {
    expect(read(`{"${key}": {"id": 9007199254740993, "n": [1, 2.5]}}`).answer?.text).toBe(
      '{\n  "id": 9007199254740993,\n  "n": [\n    1,\n    2.5\n  ]\n}',
    )
    expect(read(`{"${key}": 9007199254740993}`).answer?.text).toBe('9007199254740993')
  })

  it('reports an error that is the only key', () => {
    expect(read('{"error": "boom"}')).toMatchObject({
      code: 'target-error',
      message: 'the target reported an error: boom',
    })
  })
})

describe('an unknown key in an envelope', () => {
  it.each<[key: string, named: string]>([
    ['cost', '`cost` (did you mean `cost_usd`?)'],
    ['cost_us', '`cost_us` (did you mean `cost_usd`?)'],
    ['costUsd', '`costUsd` (did you mean `cost_usd`?)'],
    ['usage', '`usage` (did you mean `token_usage`?)'],
    ['messages', '`messages` (did you mean `output_messages`?)'],
    ['Text', '`Text` (did you mean `text`?)'],
    ['mood', '`mood`'],
    ['größe', '`größe`'],
    ['__proto__', '`__proto__`'],
    ['constructor', '`constructor`'],
    ['', '``'],
    ['a\nb', '`a↵b`'],
    ['k'.repeat(1000), `\`${'k'.repeat(60)}…\``],
  ])('%j is an error that names it', (key, named) => {
    const output = `{"text": "Hi", ${JSON.stringify(key)}: 1}`
    for (const output_format of [undefined, 'json'] as const) {
      expect(read(output, { output_format })).toEqual({
        code: 'bad-response',
        message: `unknown key ${named} in the answer; fix the spelling, set \`unknown_keys: warn\` to ignore unknown keys, or set \`output_format: text\` if the JSON itself is the answer`,
        warnings: [],
      })
    }
    expect(read(output, { output_format: 'text' }).answer).toEqual({ text: output })
  })

  it.each(answerPartNames())('is an error beside `%s` alone', key => {
    expect(read(JSON.stringify({ [key]: 'x', city: 'Bern' }))).toMatchObject({
      code: 'bad-response',
      message: expect.stringContaining('unknown key `city` in the answer'),
    })
  })

  it('is listed with the first few of many', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x${index}`, 1]))
    const { message } = read(JSON.stringify({ text: 'Hi', ...many }))
    expect(message).toContain('unknown keys `x0`, `x1`, `x2`, `x3`, `x4` and 7 more in the answer')
  })

  it('does not hide the error that the target reported', () => {
    expect(read('{"error": "rate limited", "status": 429}')).toMatchObject({
      code: 'bad-response',
      message: expect.stringMatching(/^unknown key `status` .*; the target also reported an error: rate limited$/),
    })
  })

  it('is ignored with `unknown_keys: warn`, with one warning', () => {
    const output = '{"text": "Hi", "mood": "good", "cost": 1}'
    const warnings = ['ignored the unknown keys `mood`, `cost` (did you mean `cost_usd`?) in the answer']
    expect(read(output, { unknown_keys: 'warn' })).toEqual({ answer: { text: 'Hi' }, warnings })
    expect(read(output, { unknown_keys: 'warn', output_format: 'json' })).toEqual({ answer: { text: 'Hi' }, warnings })
  })

  it('leaves no text if the only needed key is misspelled', () => {
    const output = '{"txet": "Hi", "model": "m"}'
    expect(read(output).message).toContain('unknown key `txet` (did you mean `text`?)')
    expect(read(output, { unknown_keys: 'warn' })).toMatchObject({
      code: 'bad-response',
      message: 'the answer has no text and no messages',
    })
  })

  it('is an error without any known key if the format is JSON', () => {
    expect(read('{"city": "Bern"}', { output_format: 'json' }).message).toContain('unknown key `city` in the answer')
  })
})

describe('an envelope among other lines is an error that quotes the first of them', () => {
  it.each<[what: string, output: string, line: number, quoted: string]>([
    ['a line before it', `Loading…\n${ONE_LINE}\n`, 1, 'Loading…'],
    ['a line after it', `${ONE_LINE}\nDone.\n`, 2, 'Done.'],
    ['lines around it', `\n\nLoading 😀\n${ONE_LINE}\nDone.\n`, 3, 'Loading 😀'],
    ['a line before a pretty-printed one', `Loading…\n${PRETTY}`, 1, 'Loading…'],
    ['a line after a pretty-printed one', `${PRETTY}\n\nDone.`, 6, 'Done.'],
    ['CRLF', `${PRETTY.replaceAll('\n', '\r\n')}\r\nDone.\r\n`, 5, 'Done.'],
    ['a progress bar', `10 %\r100 %\r${ONE_LINE}\n`, 1, '10 %'],
    ['a byte order mark', `\ufeff${ONE_LINE}\nDone.`, 2, 'Done.'],
    ['a byte order mark and a line before it', `\ufeffLoading\n${ONE_LINE}`, 1, 'Loading'],
    ['a code fence', `\`\`\`json\n${PRETTY}\n\`\`\``, 1, '```json'],
    ['logs in JSON', `{"level": 30, "msg": "start"}\n${ONE_LINE}`, 1, '{"level": 30, "msg": "start"}'],
    ['a log that is cut off', `{"level": 30, "msg": "st\n${ONE_LINE}\n}`, 1, '{"level": 30, "msg": "st'],
    ['a log that opens a brace', `state {\n${ONE_LINE}\n}`, 1, 'state {'],
    ['a second envelope', '{"text": "a"}\n{"text": "b"}\n', 2, '{"text": "b"}'],
    ['a second envelope on the same line', '{"text": "a"}{"text": "b"}', 1, '{"text": "b"}'],
    ['a second envelope after a space', '{"text": "a"} {"text": "b"}', 1, '{"text": "b"}'],
    ['a long line', `${'x'.repeat(500)}\n${ONE_LINE}`, 1, `${'x'.repeat(60)}…`],
    ['an unknown key in the envelope', `Loading\n{"output": "Hi", "mood": 1}`, 1, 'Loading'],
    ['messages', `Loading\n{"output_messages": []}`, 1, 'Loading'],
  ])('%s', (_, output, line, quoted) => {
    for (const output_format of [undefined, 'json'] as const) {
      expect(read(output, { output_format, unknown_keys: 'warn' })).toEqual({
        code: 'bad-response',
        message: `line ${line} \`${quoted}\` is not part of the answer; print logs to stderr, or set \`output_format: text\` if all of the output is the answer`,
        warnings: [],
      })
    }
    expect(read(output, { output_format: 'text' }).answer?.text).toBe(output.replace(/\r?\n$/, ''))
  })
})

describe('anything else is the text, without a warning', () => {
  it.each([
    ['{"city": "Bern"}'],
    ['{\n  "city": "Bern"\n}'],
    ['{}'],
    ['[{"text": "Hi"}]'],
    ['[\n{"text": "Hi"}\n]'],
    ['"text"'],
    ['42'],
    ['null'],
    ['Hello'],
    ['Sure: {"text": "Hi"}'],
    ['Here:\n{"text": "Hi"},'],
    ['{"city": "Ber'],
    ['{"texts": "Hi",}'],
    ['{text: "Hi"}'],
    ['{"city": "Bern"}\n{"city": "Basel"}'],
    ['Loading\n{"model": "m", "cost_usd": 1}'],
    ['Loading\n{"city": {"text": "Bern"}}'],
    ['Broken:\n{\n  "cities": [\n    {"text": "Bern"}\n  ],\n}'],
    ['Broken:\n{\n  "a": oops,\n  "cities": [\n    {"text": "Bern"}\n  ]\n}'],
  ])('%j', output => {
    expect(read(output)).toEqual({ answer: { text: output }, warnings: [] })
  })
})

describe('output that begins like an envelope and is not valid JSON is an error', () => {
  it.each<[output: string, reason: string]>([
    ['{"text": "Hel', 'this string is not closed'],
    ['\ufeff{"text": "Hel', 'this string is not closed'],
    ['\n{\n  "output": "Hi",\n}\n', 'expected a key in double quotes, found `}`'],
    ['{"text": "Hi",}', 'expected a key in double quotes, found `}`'],
    ['{"text": "Hi"} is how it looks', 'expected nothing more, found `is`'],
    ['{"error" : boom}', 'expected a value, found `boom`'],
    ['{"output_messages": [', 'it ends where a value or `]` is expected'],
  ])('%j', (output, reason) => {
    for (const output_format of [undefined, 'json'] as const) {
      expect(read(output, { output_format })).toEqual({
        code: 'bad-response',
        message: `the answer is not valid JSON: ${reason}; fix it, or set \`output_format: text\` if the text itself is the answer`,
        warnings: [],
      })
    }
    expect(read(output, { output_format: 'text' }).answer?.text).toBe(output.replace(/\n$/, ''))
  })
})

describe('a large output', () => {
  const fill = (part: string) => part.repeat(Math.ceil(1_000_000 / part.length))

  it.each([
    ['opening braces', fill('{')],
    ['lines of opening braces', fill('{\n')],
    ['lines that nest without end', fill('{"a":\n')],
    ['objects that are not envelopes', fill('{"a":1}\n')],
    ['spaces after objects', fill(`{"a":1}${' '.repeat(1000)}x\n`)],
  ])('of %s is the text, and is parsed no more than twice', (_, output) => {
    const { parsed, result } = countingParsed(() => read(output))
    expect(result.answer?.text).toHaveLength(output.replace(/\n$/, '').length)
    expect(parsed).toBeLessThanOrEqual(2 * output.length)
  })

  it.each([
    ['lines that nest without end', fill('{"text":\n')],
    ['lines that nest in lists without end', fill('{"text":[\n')],
    ['lines that break off', fill('{"text":1,\n')],
    ['lines whose strings break off', fill('{"text":"\n')],
    ['lines that end with another brace', fill('{"text":1}}\n')],
  ])('of %s with our keys is an error, and is parsed no more than twice', (_, output) => {
    const { parsed, result } = countingParsed(() => read(output))
    expect(result).toMatchObject({
      code: 'bad-response',
      message: expect.stringContaining('the answer is not valid JSON'),
    })
    expect(parsed).toBeLessThanOrEqual(2 * output.length)
  })

  it.each([
    ['lines that break off', fill('{"a":1,\n')],
    ['lines that nest without end', fill('{"a":\n')],
  ])('with an envelope after %s is still an error', (_, lines) => {
    expect(read(`${lines}\n}{\n${ONE_LINE}\n`).message).toMatch(/^line 1 `\{"a":/)
  })

  /** Counts the characters passed to `JSON.parse`. */
  function countingParsed<Result>(action: () => Result): { parsed: number; result: Result } {
    const { parse } = JSON
    let parsed = 0
    JSON.parse = (text, ...more) => {
      parsed += text.length
      return parse(text, ...more)
    }
    try {
      return { result: action(), parsed }
    } finally {
      JSON.parse = parse
    }
  }
})

describe('for any lines around an envelope', () => {
  const line = fc.string({ unit: 'grapheme' }).filter(text => text.trim() !== '' && !/[\r\n\u2028\u2029{}]/.test(text))
  const lines = fc.array(line, { maxLength: 3 })
  const envelope = fc.record({ text: fc.string(), model: fc.string() }, { requiredKeys: ['text'] })

  it('the error quotes the first line, and without them the envelope is read', () => {
    fc.assert(
      fc.property(lines, envelope, lines, fc.constantFrom(undefined, 2), (before, parts, after, space) => {
        const json = JSON.stringify(parts, null, space)
        const result = read([...before, json, ...after, ''].join('\n'))
        const number = before.length > 0 ? 1 : json.split('\n').length + 1
        const error = { code: 'bad-response', message: expect.stringContaining(`line ${number} \``) }
        expect(result).toMatchObject(before.length + after.length === 0 ? { answer: parts } : error)
      }),
      { numRuns: examples(300) },
    )
  })
})
