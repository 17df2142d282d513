import { z } from 'zod'
import { defineEvaluator } from '../../evaluators/evaluator.ts'
import { askJudge } from '../../evaluators/shared/model-judges/ask-judge.ts'
import { Fence } from '../../evaluators/shared/model-judges/fence.ts'
import { filledPrompt } from '../../evaluators/shared/model-judges/filled-prompt.ts'
import { judgeMaterial } from '../../evaluators/shared/model-judges/judge-material.ts'

const PROMPT =
  'Does the answer say what the expected answer says? Other words are fine; nothing that matters may be missing, different or wrong.\n\n# Question\n{{question}}\n\n# Expected answer\n{{expected_output}}\n\n# Answer to be judged\n{{answer}}'

const SHAPE = '`{"same": true or false, "reasoning": "why, in one sentence"}`.'

const schema = z.object({ same: z.boolean(), reasoning: z.string() })

/** What a log expects of an answer: the same text, or the same in other words, as a judge finds. */
export const expectation = defineEvaluator({
  type: 'expectation',
  config: z.strictObject({ expected: z.string() }),
  judge: () => ({ is_optional: true }),
  grade: async ({ expected }, subject, context) => {
    if (subject.answer.text.trim() === expected.trim()) return SAME
    const material = await judgeMaterial(subject, context.host)
    const fence = new Fence(material)
    const text = filledPrompt(PROMPT, material, fence)
    const { same, reasoning } = await askJudge({ text, fence, temperature: 0, schema, shape: SHAPE }, context)
    return same
      ? { ...SAME, reasoning }
      : { score: 0, hits: [], misses: [reasoning || 'not what is expected'], reasoning }
  },
})

const SAME = { score: 1, hits: ['says what is expected'], misses: [] }
