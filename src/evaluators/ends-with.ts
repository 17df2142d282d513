import { defineEvaluator } from './evaluator.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText, quoted } from './shared/text-value.ts'

export const endsWith = defineEvaluator({
  type: 'ends_with',
  summary: 'The answer, trimmed, ends with the text.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'The answer ends with a question', check: { type: 'ends_with', value: '?' } }],
  sentence: ({ config, negate }) => [
    negate ? `Output does not end with ${quoted(config.value)}` : `Output ends with ${quoted(config.value)}`,
  ],
  grade: ({ value }, { answer }) => allTexts('end with', [value], text => answer.text.trim().endsWith(text.trim())),
})
