import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED_LIST, valueSentence } from './shared/sentences.ts'
import { allTexts, foldCase } from './shared/text-grade.ts'
import { manyTexts } from './shared/text-value.ts'

export const icontainsAll = defineEvaluator({
  type: 'icontains_all',
  summary: 'The answer contains every one of the texts, ignoring case.',
  config: manyTexts,
  verbatim: ['value'],
  examples: [{ title: 'Both names', check: { type: 'icontains_all', value: ['alice', 'bob'] } }],
  ...valueSentence(
    'Output contains, ignoring case, all of:',
    'Output does not contain, ignoring case, all of:',
    QUOTED_LIST,
  ),
  grade: ({ value }, { answer }) => {
    const folded = foldCase(answer.text)
    return allTexts('contain', value, text => folded.includes(foldCase(text)))
  },
})
