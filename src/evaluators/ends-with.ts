import { defineEvaluator } from './evaluator.ts'
import { QUOTED, valueSentence } from './shared/sentences/value-sentence.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText } from './shared/text-value.ts'

export const endsWith = defineEvaluator({
  type: 'ends_with',
  summary: 'The answer, trimmed, ends with the text.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'The answer ends with a question', check: { type: 'ends_with', value: '?' } }],
  ...valueSentence('Output ends with', 'Output does not end with', QUOTED),
  grade: ({ value }, { answer }) => allTexts('end with', [value], text => answer.text.trim().endsWith(text.trim())),
})
