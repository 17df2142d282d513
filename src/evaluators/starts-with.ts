import { defineEvaluator } from './evaluator.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText, quoted } from './shared/text-value.ts'

export const startsWith = defineEvaluator({
  type: 'starts_with',
  summary: 'The answer, trimmed, starts with the text.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'A greeting comes first', check: { type: 'starts_with', value: 'Hello' } }],
  sentence: ({ config, negate }) => [
    negate ? `Output does not start with ${quoted(config.value)}` : `Output starts with ${quoted(config.value)}`,
  ],
  grade: ({ value }, { answer }) => allTexts('start with', [value], text => answer.text.trim().startsWith(text.trim())),
})
