import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED_LIST, valueSentence } from './shared/sentences.ts'
import { anyText } from './shared/text-grade.ts'
import { manyTexts } from './shared/text-value.ts'

export const containsAny = defineEvaluator({
  type: 'contains_any',
  summary: 'The answer contains at least one of the texts.',
  config: manyTexts,
  verbatim: ['value'],
  examples: [{ title: 'One of two words', check: { type: 'contains_any', value: ['sorry', 'apologise'] } }],
  ...valueSentence('Output contains any of:', 'Output contains none of:', QUOTED_LIST),
  grade: ({ value }, { answer }) => anyText('contain', value, text => answer.text.includes(text)),
})
