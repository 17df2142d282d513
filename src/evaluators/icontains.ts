import { defineEvaluator } from './evaluator.ts'
import { allTexts, foldCase } from './shared/text-grade.ts'
import { oneText, quoted } from './shared/text-value.ts'

export const icontains = defineEvaluator({
  type: 'icontains',
  summary: 'The answer contains the text, ignoring case.',
  config: oneText,
  verbatim: ['value'],
  examples: [{ title: 'Any way of writing the name', check: { type: 'icontains', value: 'alice' } }],
  sentence: ({ config, negate }) => [
    negate
      ? `Output does not contain, ignoring case, ${quoted(config.value)}`
      : `Output contains, ignoring case, ${quoted(config.value)}`,
  ],
  grade: ({ value }, { answer }) => {
    const folded = foldCase(answer.text)
    return allTexts('contain', [value], text => folded.includes(foldCase(text)))
  },
})
