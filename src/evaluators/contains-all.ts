import { defineEvaluator } from './evaluator.ts'
import { allTexts } from './shared/text-grade.ts'
import { manyTexts, quotedList } from './shared/text-value.ts'

export const containsAll = defineEvaluator({
  type: 'contains_all',
  summary: 'The answer contains every one of the texts.',
  config: manyTexts,
  verbatim: ['value'],
  examples: [
    { title: 'All three months', check: { type: 'contains_all', value: ['November', 'September', 'December'] } },
  ],
  sentence: ({ config, negate }) => [
    negate
      ? `Output does not contain all of: ${quotedList(config.value)}`
      : `Output contains all of: ${quotedList(config.value)}`,
  ],
  grade: ({ value }, { answer }) => allTexts('contain', value, text => answer.text.includes(text)),
})
