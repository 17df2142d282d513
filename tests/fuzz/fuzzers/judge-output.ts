import { judgeReply } from '../../../src/evaluators/shared/program-judges/judge-reply.ts'
import { type Grade, Unjudged } from '../../../src/model/grade.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateText } from '../mutate/mutate-text.ts'
import { mutateValue } from '../mutate/mutate-value.ts'
import type { Random } from '../random.ts'

const GRADES: readonly object[] = [
  { score: 1 },
  { score: 0.5, hits: ['a'], misses: ['b'], reasoning: 'so', details: { deep: [1, { er: null }] } },
  { score: 0, hits: null, misses: null, reasoning: null, details: null },
  {
    assertions: [
      { text: 'one', passed: true, evidence: 'x' },
      { text: 'two', passed: false },
    ],
  },
  { score: 0.8, assertions: [{ text: 'one', passed: true, evidence: null }], other: { score: 7 } },
]

const AROUND = [
  '',
  'Looking…\n',
  '{"event": "start"}\n',
  '{not json}\n',
  '```json\n',
  '\n```',
  '{"score": 2}\n',
  '{',
  '"',
]

/** The output of code judges: valid and broken grades, with other text around them. */
export const judgeOutput: Fuzzer = {
  name: 'judge-output',
  summary: 'output of code judges',
  deep: { outcome: 'graded', share: 0.2 },
  make: random => ({ from: 'a grade', files: { stdout: new TextEncoder().encode(randomOutput(random)) }, salt: 0 }),
  run: async ({ files }) => {
    const stdout = new TextDecoder().decode(files['stdout'])
    try {
      mustBeGrade(judgeReply({ code: 0, signal: undefined, stdout, stderr: 'x', tooLarge: false }))
      return 'graded'
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error
      must(error.message.length < 5000, () => `a message of ${error.message.length} characters`)
      return error.code
    }
  },
}

function randomOutput(random: Random): string {
  let value: unknown = random.pick(GRADES)
  while (random.chance(0.5)) value = mutateValue(value, random, GRADES)
  const json = JSON.stringify(value, null, random.pick([undefined, 2])) ?? ''
  let text = `${random.pick(AROUND)}${json}${random.pick(AROUND)}${random.chance(0.1) ? json : ''}`
  while (random.chance(0.35)) text = mutateText(text, random, [text, ...AROUND])
  return text
}

function mustBeGrade({ score, hits, misses }: Grade): void {
  must(score >= 0 && score <= 1, () => `a score of ${score}`)
  must(
    [...hits, ...misses].every(text => typeof text === 'string'),
    () => 'hits or misses are not strings',
  )
}
