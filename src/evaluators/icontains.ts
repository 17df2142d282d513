import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED, valueSentence } from './shared/sentences.ts'
import { allTexts, foldCase } from './shared/text-grade.ts'
import { oneText } from './shared/text-value.ts'

export const icontains = defineEvaluator({
  type: 'icontains',
  summary: 'The answer contains the text, ignoring case.',
  config: oneText,
  verbatim: ['value'],
  examples: [{ title: 'Any way of writing the name', check: { type: 'icontains', value: 'alice' } }],
  ...valueSentence('Output contains, ignoring case,', 'Output does not contain, ignoring case,', QUOTED),
  grade: ({ value }, { answer }) => {
    const folded = foldCase(answer.text)
    return allTexts('contain', [value], text => folded.includes(foldCase(text)))
  },
})
