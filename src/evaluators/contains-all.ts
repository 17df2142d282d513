import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED_LIST, valueSentence } from './shared/sentences.ts'
import { allTexts } from './shared/text-grade.ts'
import { manyTexts } from './shared/text-value.ts'

export const containsAll = defineEvaluator({
  type: 'contains_all',
  summary: 'The answer contains every one of the texts.',
  config: manyTexts,
  verbatim: ['value'],
  examples: [
    { title: 'All three months', check: { type: 'contains_all', value: ['November', 'September', 'December'] } },
  ],
  ...valueSentence('Output contains all of:', 'Output does not contain all of:', QUOTED_LIST),
  grade: ({ value }, { answer }) => allTexts('contain', value, text => answer.text.includes(text)),
})
