import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED_LIST, valueSentence } from './shared/sentences.ts'
import { anyText, foldCase } from './shared/text-grade.ts'
import { manyTexts } from './shared/text-value.ts'

export const icontainsAny = defineEvaluator({
  type: 'icontains_any',
  summary: 'The answer contains at least one of the texts, ignoring case.',
  config: manyTexts,
  verbatim: ['value'],
  examples: [{ title: 'One of two words', check: { type: 'icontains_any', value: ['refund', 'money back'] } }],
  ...valueSentence('Output contains, ignoring case, any of:', 'Output contains, ignoring case, none of:', QUOTED_LIST),
  grade: ({ value }, { answer }) => {
    const folded = foldCase(answer.text)
    return anyText('contain', value, text => folded.includes(foldCase(text)))
  },
})
