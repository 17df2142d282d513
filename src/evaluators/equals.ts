import { defineEvaluator } from './evaluator.ts'
import { allTexts } from './shared/text-grade.ts'
import { escaped, oneTrimmedText } from './shared/text-value.ts'

export const equals = defineEvaluator({
  type: 'equals',
  summary: 'The answer is the text, both trimmed.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'One word and nothing else', check: { type: 'equals', value: 'yes' } }],
  sentence: ({ config, negate }) => [
    negate
      ? `Output does not exactly equal: ${escaped(config.value)}`
      : `Output exactly equals: ${escaped(config.value)}`,
  ],
  grade: ({ value }, { answer }) => allTexts('equal', [value], text => answer.text.trim() === text.trim()),
})
