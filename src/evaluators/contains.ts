import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED, valueSentence } from './shared/sentences.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneText } from './shared/text-value.ts'

export const contains = defineEvaluator({
  type: 'contains',
  summary: 'The answer contains the text, case-sensitive.',
  config: oneText,
  verbatim: ['value'],
  examples: [{ title: 'The amount is in the answer', check: { type: 'contains', value: '$22,500' } }],
  ...valueSentence('Output contains', 'Output does not contain', QUOTED),
  grade: ({ value }, { answer }) => allTexts('contain', [value], text => answer.text.includes(text)),
})
