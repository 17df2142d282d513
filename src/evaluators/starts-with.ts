import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED, valueSentence } from './shared/sentences.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText } from './shared/text-value.ts'

export const startsWith = defineEvaluator({
  type: 'starts_with',
  summary: 'The answer, trimmed, starts with the text.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'A greeting comes first', check: { type: 'starts_with', value: 'Hello' } }],
  ...valueSentence('Output starts with', 'Output does not start with', QUOTED),
  grade: ({ value }, { answer }) => allTexts('start with', [value], text => answer.text.trim().startsWith(text.trim())),
})
