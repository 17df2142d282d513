import { defineEvaluator } from './evaluator.ts'
import { PLAIN, valueSentence } from './shared/sentences/value-sentence.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText } from './shared/text-value.ts'

export const equals = defineEvaluator({
  type: 'equals',
  summary: 'The answer is the text, both trimmed.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'One word and nothing else', check: { type: 'equals', value: 'yes' } }],
  ...valueSentence('Output exactly equals:', 'Output does not exactly equal:', PLAIN),
  grade: ({ value }, { answer }) => allTexts('equal', [value], text => answer.text.trim() === text.trim()),
})
