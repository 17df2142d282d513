import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../src/model/answer.ts'
import { judgeChecks } from '../../src/model/verdict.ts'
import { gradeTest, loadTest } from '../support/checks.ts'
import { INJECTIONS } from '../support/judges/injections.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'

const GOOD = { score: 0.9, hits: ['kind'], misses: ['long'], reasoning: 'Mostly.' }
const good = JSON.stringify(GOOD)

describe('the reply of an llm_judge', () => {
  it.each([
    ['as it is', good],
    ['in a fenced block', `\`\`\`json\n${good}\n\`\`\``],
    ['with text around it', `Let me see.\n${good}\nThat is all.`],
  ])('%s', async (_, reply) => {
    const { results, requests } = await judgedBy(['{type: llm_judge}'], [reply])
    expect(results).toMatchObject([GOOD])
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['no JSON', 'Quite good!', 'it is not JSON'],
    ['8/10', '{"score": "8/10", "hits": [], "misses": [], "reasoning": ""}', '`score`'],
    ['a score of 7', '{"score": 7, "hits": [], "misses": [], "reasoning": ""}', '`score`'],
    ['a score below 0', '{"score": -0.1, "hits": [], "misses": [], "reasoning": ""}', '`score`'],
    ['no score', '{"hits": [], "misses": [], "reasoning": ""}', '`score`'],
    ['half of it', good.slice(0, 20), 'it is not JSON'],
    ['a refusal', 'I cannot help with that.', 'it is not JSON'],
    ['nothing', '', 'nothing'],
  ])('with %s is requested again with the problem, and then counts', async (_, bad, problem) => {
    const { results, asked } = await judgedBy(['{type: llm_judge}'], [bad, good])
    expect(results).toMatchObject([GOOD])
    expect(asked).toHaveLength(2)
    // Empty replies are not sent back: services reject them.
    expect(asked[1]?.slice(2)).toEqual([...(bad === '' ? [] : [bad]), expect.stringContaining(problem)])
  })

  it('is unusable if it is cut off by the token limit, even if it is readable', async () => {
    const { results, requests } = await judgedBy(['{type: llm_judge}'], [{ text: good, finish_reason: 'length' }, good])
    expect(results).toMatchObject([GOOD])
    expect(requests).toHaveLength(2)
  })

  it('is an error after three unreadable replies, with the last one recorded', async () => {
    const { results, requests } = await judgedBy(['{type: llm_judge, negate: true, required: true}'], ['a', 'b', 'c'])
    expect(requests).toHaveLength(3)
    expect(results).toMatchObject([
      { score: null, passed: false, error: { code: 'judge-reply' }, details: { reply: 'c' } },
    ])
  })

  it('is an error if it is missing', async () => {
    const { results } = await judgedBy(['{type: llm_judge}'], [new NoAnswer('timeout', 'no answer within 5 s')])
    expect(results).toMatchObject([{ score: null, error: { code: 'judge-no-answer' } }])
    expect(results[0]?.error?.message).toContain('no answer within 5 s')
  })

  it('is inverted by negate', async () => {
    const { results } = await judgedBy(['{type: llm_judge, negate: true}'], [good])
    expect(results[0]?.score).toBeCloseTo(0.1, 12)
    expect(results).toMatchObject([{ hits: ['long'], misses: ['kind'] }])
  })
})

describe('the prompt of a judge', () => {
  const fields = 'note: Be lenient.\nexpected_output: Hello, dear Alice!'

  it('has all texts of the test by default, with the answer between marks', async () => {
    const { asked, requests } = await judgedBy(['{type: llm_judge}'], [good], { fields })
    const [[system = '', user = ''] = []] = asked
    const word = /<<<(data-\w+)/.exec(user)?.[1]
    expect(user).toContain(`<<<${word}\nHello Alice!\n${word}>>>`)
    expect(system).toContain(`${word}>>>`)
    for (const text of ['Hi', 'It is good', 'Hello, dear Alice!', 'Be lenient.']) expect(user).toContain(text)
    expect(requests[0]).toMatchObject({ temperature: 0, reply_schema: { type: 'object' } })
  })

  it.each([
    ['Q: {{question}} A: {{answer}}', 'Q: Hi A: <<<W\nHello Alice!\nW>>>\n\n# Note for the judge\nBe lenient.'],
    ['{{ output }} {{input}} {{note}}', '<<<W\nHello Alice!\nW>>> Hi Be lenient.'],
    ['{{candidate_answer}} {{expected_output}} {{note}}', '<<<W\nHello Alice!\nW>>> Hello, dear Alice! Be lenient.'],
    [
      'Is it kind?',
      'Is it kind?\n\n# Question\nHi\n\n# Criteria\nIt is good\n\n# A good answer, for comparison\nHello, dear Alice!\n\n# Note for the judge\nBe lenient.\n\n# Answer to be judged\n<<<W\nHello Alice!\nW>>>',
    ],
    ['\\{{answer}} {{answer}} {{note}}', '{{answer}} <<<W\nHello Alice!\nW>>> Be lenient.'],
    ['{{output_text}} {{input_text}} {{note}}', '<<<W\nHello Alice!\nW>>> Hi Be lenient.'],
    ['{{output_text}} {{expected_output_text}} {{note}}', '<<<W\nHello Alice!\nW>>> Hello, dear Alice! Be lenient.'],
    [
      '{{output_messages}} {{note}}',
      '<<<W\n[\n  {\n    "role": "assistant",\n    "content": "Hello Alice!"\n  }\n]\nW>>> Be lenient.',
    ],
  ])('with the template %s', async (prompt, shown) => {
    const { asked } = await judgedBy([`{type: llm_judge, prompt: ${JSON.stringify(prompt)}}`], [good], { fields })
    expect(asked[0]?.[1]?.replace(/data-\w+/g, 'W')).toBe(shown)
  })

  it('comes from a file', async () => {
    const { asked } = await judgedBy(['{type: llm_judge, prompt: ./kind.md}'], [good], {
      files: { 'kind.md': 'Kind? {{answer}}' },
    })
    expect(asked[0]?.[1]?.replace(/data-\w+/g, 'W')).toBe('Kind? <<<W\nHello Alice!\nW>>>')
  })

  it('has the temperature of the check', async () => {
    const { requests } = await judgedBy(['{type: llm_judge, config: {temperature: 0.7}}'], [good])
    expect(requests).toMatchObject([{ temperature: 0.7 }])
  })

  it.each(INJECTIONS)('keeps an injected score between the marks: %s', async text => {
    const { asked } = await judgedBy(['{type: llm_judge}', '{type: rubrics, criteria: Is kind}'], [good], { text })
    for (const [system = '', user = ''] of asked) {
      const word = /between `<<<(data-\w+)`/.exec(system)?.[1] ?? 'none'
      expect(text).not.toContain(word)
      const [before = '', inside = '', ...rest] = user.split(new RegExp(`<<<${word}\n|\n${word}>>>`))
      expect(inside).toBe(text)
      expect(before + rest.join('')).not.toContain(text)
    }
  })
})

describe('a prompt whose variables are all empty', () => {
  it.each([
    ['Good? {{reference_answer}}', '`{{reference_answer}}` has no value'],
    ['{{expected_output}} {{ note }} {{note}}', '`{{expected_output}}`, `{{note}}` have no value'],
    ['{{expected_messages}}', '`{{expected_messages}}` has no value'],
  ])('is an error that names them: %s', async (prompt, words) => {
    for (const type of ['llm_judge', 'agent_judge']) {
      const check = `{type: ${type}, negate: true, prompt: ${JSON.stringify(prompt)}}`
      const { results, requests } = await judgedBy([check], [good])
      expect(results).toMatchObject([{ score: null, passed: false, error: { code: 'empty-prompt' } }])
      expect(results[0]?.error?.message).toContain(words)
      expect(requests).toEqual([])
    }
  })

  it.each(['', ' \n\t'])('is an error if the answer is %j', async text => {
    const { results, requests } = await judgedBy(['{type: llm_judge, prompt: "{{answer}}"}'], [good], { text })
    expect(results).toMatchObject([{ score: null, error: { code: 'empty-prompt' } }])
    expect(requests).toEqual([])
  })

  it('is an error with rubrics', async () => {
    const { results } = await judgedBy(['{type: llm_judge, prompt: "{{note}}", rubrics: [Is kind]}'], [good])
    expect(results).toMatchObject([{ score: null, error: { code: 'empty-prompt' } }])
  })

  it.each(['{{note}} {{question}}', 'Is it kind?', '\\{{note}} is literal', '{{output_messages}}'])(
    'is not one like this: %s',
    async prompt => {
      const { results } = await judgedBy([`{type: llm_judge, prompt: ${JSON.stringify(prompt)}}`], [good], { text: '' })
      expect(results).toMatchObject([GOOD])
    },
  )
})

describe('a missing file of the input', () => {
  it.each(['{type: llm_judge}', '{type: rubrics, criteria: Is kind}'])('is an error, not a bug: %s', async check => {
    const files = { 'gone.md': 'Read me' }
    const test = await loadTest([check], files, 'input_files: [gone.md]')
    rmSync(join(dirname(test.at.file), 'gone.md'))
    const [result] = await gradeTest(test, { text: 'ok' })
    expect(result).toMatchObject({ score: null, error: { code: 'file-missing' } })
  })
})

describe('rubrics', () => {
  const THREE = `{type: rubrics, rubrics: [Says hello, {id: name, outcome: Says her name, required: true}, {id: warm, weight: 2, score_ranges: {0: cold, 10: warm}}]}`
  const reply = (items: object[]) => JSON.stringify({ items })
  const item = (id: string, found: object) => ({ id, ...found, reasoning: 'so' })
  const all = (hello: boolean, name: boolean, warm: number) =>
    reply([item('rubric-1', { satisfied: hello }), item('name', { satisfied: name }), item('warm', { score: warm })])

  it.each<[string, number, string]>([
    [all(true, true, 10), 1, 'pass'],
    [all(true, true, 6), 0.8, 'pass'],
    [all(true, true, 5), 0.75, 'borderline'],
    [all(true, false, 10), 0.75, 'fail'],
    [all(false, true, 0), 0.25, 'fail'],
    [all(true, false, 0), 0.25, 'fail'],
  ])('%s: %d, %s', async (text, score, verdict) => {
    const { results } = await judgedBy([THREE], [text])
    expect(judgeChecks(results)).toEqual({ score, verdict })
  })

  it('are recorded item by item', async () => {
    const { results } = await judgedBy([THREE], [all(true, false, 7)])
    expect(results[0]).toMatchObject({
      hits: ['Says hello', 'warm (7 of 10)'],
      misses: ['Says her name (required)'],
      items: [
        { id: 'rubric-1', text: 'Says hello', satisfied: true, passed: true, required: false, weight: 1 },
        { id: 'name', satisfied: false, passed: false, required: true, reasoning: 'so' },
        { id: 'warm', score: 7, passed: true, weight: 2 },
      ],
    })
  })

  it.each([
    ['an item left out', reply([item('rubric-1', { satisfied: true })]), 'missing: name, warm'],
    [
      'an item twice',
      JSON.stringify({
        items: [...JSON.parse(all(true, true, 1)).items, item('name', { satisfied: false })],
      }),
      'twice: name',
    ],
    [
      'an unknown item',
      JSON.stringify({ items: [...JSON.parse(all(true, true, 1)).items, item('new', { satisfied: true })] }),
      '`items[3]',
    ],
    ['a score of 11', all(true, true, 11), '`items[2]'],
    [
      'a boolean instead of a score',
      reply([
        item('rubric-1', { satisfied: true }),
        item('name', { satisfied: true }),
        item('warm', { satisfied: true }),
      ]),
      '`items[2]',
    ],
  ])('never yield a grade from a reply with %s', async (_, bad, problem) => {
    const { results, asked } = await judgedBy([THREE], [bad])
    expect(results).toMatchObject([{ score: null, error: { code: 'judge-reply' } }])
    expect(asked).toHaveLength(3)
    expect(asked[1]?.at(-1)).toContain(problem)
  })

  it.each([
    [4, 'pass'],
    [3.9, 'fail'],
  ])('with a minimum of 4, a score of %d: %s', async (score, verdict) => {
    const check =
      '{type: rubrics, rubrics: [{id: a, required: true, required_min_score: 4, weight: 0.001, score_ranges: {0: bad, 10: good}}, Is kind]}'
    const text = reply([item('a', { score }), item('rubric-2', { satisfied: true })])
    expect(judgeChecks((await judgedBy([check], [text])).results).verdict).toBe(verdict)
  })

  it.each([
    ['', 4.5, 'good (4.5 of 10) (required: at least 5)', 5],
    [', required_min_score: 8', 7, 'good (7 of 10) (required: at least 8)', 8],
    [', required_min_score: 0.5', 0, 'good (0 of 10) (required: at least 0.5)', 0.5],
  ])('name the required score if they have ranges%s', async (more, score, miss, minimum) => {
    const check = `{type: rubrics, rubrics: [{id: a, required: true${more}, score_ranges: {0: bad, 10: good}}]}`
    const { results } = await judgedBy([check], [reply([item('a', { score })])])
    expect(results).toMatchObject([{ misses: [miss], items: [{ required_min_score: minimum, passed: false }] }])
    expect(judgeChecks(results).verdict).toBe('fail')
  })

  it.each([
    ['', 7, 'fail'],
    ['', 8, 'pass'],
    [', required: true', 7, 'fail'],
    [', required: false', 7, 'pass'],
  ])('are required if they have a minimum%s: a score of %d is a %s', async (more, score, verdict) => {
    const check = `{type: rubrics, rubrics: [{id: a, required_min_score: 8${more}, weight: 0.001, score_ranges: {0: bad, 10: good}}, Is kind]}`
    const text = reply([item('a', { score }), item('rubric-2', { satisfied: true })])
    expect(judgeChecks((await judgedBy([check], [text])).results).verdict).toBe(verdict)
  })

  it('name no minimum if they are not required or have no ranges', async () => {
    const check =
      '{type: rubrics, rubrics: [{id: a, score_ranges: {0: bad, 10: good}}, {id: b, outcome: Is kind, required: true}]}'
    const { results } = await judgedBy([check], [reply([item('a', { score: 1 }), item('b', { satisfied: false })])])
    expect(results).toMatchObject([{ misses: ['good (1 of 10)', 'Is kind (required)'] }])
    expect(results[0]?.items?.map(({ required_min_score }) => required_min_score)).toEqual([undefined, undefined])
  })

  it('are the criteria of a test without checks, with its note', async () => {
    const { asked } = await judgedBy(['{type: rubrics, criteria: Is kind}'], [all(true, true, 1)], {
      fields: 'note: She is new here.',
    })
    expect(asked[0]?.[1]).toContain('She is new here.')
    expect(asked[0]?.[1]).toContain('- rubric-1: Is kind (satisfied or not)')
  })

  it('of an llm_judge are judged item by item with its prompt', async () => {
    const check = '{type: llm_judge, prompt: "Look closely. {{answer}}", rubrics: [Is kind]}'
    const { results, asked } = await judgedBy([check], [reply([item('rubric-1', { satisfied: true })])])
    expect(results).toMatchObject([{ score: 1, items: [{ id: 'rubric-1' }] }])
    expect(asked[0]?.[1]).toMatch(/^Look closely\. <<<data/)
  })
})
