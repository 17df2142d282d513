import { defineEvaluator } from './evaluator.ts'
import { anyText } from './shared/text-grade.ts'
import { manyTexts, quotedList } from './shared/text-value.ts'

export const containsAny = defineEvaluator({
  type: 'contains_any',
  summary: 'The answer contains at least one of the texts.',
  config: manyTexts,
  verbatim: ['value'],
  examples: [{ title: 'One of two words', check: { type: 'contains_any', value: ['sorry', 'apologise'] } }],
  sentence: ({ config, negate }) => [
    negate
      ? `Output contains none of: ${quotedList(config.value)}`
      : `Output contains any of: ${quotedList(config.value)}`,
  ],
  grade: ({ value }, { answer }) => anyText('contain', value, text => answer.text.includes(text)),
})
