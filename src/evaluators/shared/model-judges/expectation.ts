import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import { expectedText } from '../../../model/message.ts'
import { defineEvaluator } from '../../define-evaluator.ts'
import { askJudge } from './ask-judge.ts'
import { Fence, judgeMaterial } from './judge-material.ts'
import { fillPrompt } from './judge-prompt.ts'

const PROMPT =
  'Does the answer say what the expected answer says? Other words are fine; nothing that matters may be missing, different or wrong.\n\n# Question\n{{question}}\n\n# Expected answer\n{{expected_output}}\n\n# Answer to be judged\n{{answer}}'

const SHAPE = '`{"same": true or false, "reasoning": "why, in one sentence"}`.'

const schema = lazily(() => z.object({ same: z.boolean(), reasoning: z.string() }))

/** For logs, not for suites: the answer equals the expected one, or a judge finds that it says the same. */
export const expectation = defineEvaluator({
  type: 'expectation',
  config: () => z.strictObject({}),
  judge: () => ({ is_optional: true }),
  grade: async (_, subject, context) => {
    if (subject.answer.text.trim() === expectedText(subject.test.expected_output)?.trim()) return SAME
    const material = await judgeMaterial(subject, context.host)
    const fence = new Fence(material, subject)
    const text = fillPrompt(PROMPT, material, fence)
    const { same, reasoning } = await askJudge({ text, fence, temperature: 0, schema: schema(), shape: SHAPE }, context)
    return same
      ? { ...SAME, reasoning }
      : { score: 0, hits: [], misses: [reasoning || 'not what is expected'], reasoning }
  },
})

const SAME = { score: 1, hits: ['says what is expected'], misses: [] }
