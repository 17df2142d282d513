import { defineEvaluator } from './evaluator.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneText, quoted } from './shared/text-value.ts'

export const contains = defineEvaluator({
  type: 'contains',
  summary: 'The answer contains the text, case-sensitive.',
  config: oneText,
  verbatim: ['value'],
  examples: [{ title: 'The amount is in the answer', check: { type: 'contains', value: '$22,500' } }],
  sentence: ({ config, negate }) => [
    negate ? `Output does not contain ${quoted(config.value)}` : `Output contains ${quoted(config.value)}`,
  ],
  grade: ({ value }, { answer }) => allTexts('contain', [value], text => answer.text.includes(text)),
})
