import { textDifference } from '../lib/text/diff.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { PLAIN, valueSentence } from './shared/sentences.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText } from './shared/text-value.ts'

export const equals = defineEvaluator({
  type: 'equals',
  summary: 'The answer is the text, both trimmed.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'One word and nothing else', check: { type: 'equals', value: 'yes' } }],
  ...valueSentence('Output exactly equals:', 'Output does not exactly equal:', PLAIN),
  grade: ({ value }, { answer }) => {
    const [found, expected] = [answer.text.trim(), value.trim()]
    const grade = allTexts('equal', [value], () => found === expected)
    return grade.score === 1 ? grade : { ...grade, misses: [textDifference(found, expected)] }
  },
})
