import { singleLine, truncateStart } from '../lib/text/quote.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { QUOTED, valueSentence } from './shared/sentences.ts'
import { allTexts } from './shared/text-grade.ts'
import { oneTrimmedText } from './shared/text-value.ts'

export const endsWith = defineEvaluator({
  type: 'ends_with',
  summary: 'The answer, trimmed, ends with the text.',
  config: oneTrimmedText,
  verbatim: ['value'],
  examples: [{ title: 'The answer ends with a question', check: { type: 'ends_with', value: '?' } }],
  ...valueSentence('Output ends with', 'Output does not end with', QUOTED),
  grade: ({ value }, { answer }) => {
    const text = answer.text.trim()
    const grade = allTexts('end with', [value], wanted => text.endsWith(wanted.trim()))
    return { ...grade, misses: grade.misses.map(miss => `${miss}${endText(text)}`) }
  },
})

/** Reports show the beginning of a long answer, which tells nothing of its end. */
const LONG = 160
const LONGEST_END = 80

function endText(text: string): string {
  return text.length > LONG ? `, but with "${singleLine(truncateStart(text, LONGEST_END))}"` : ''
}
