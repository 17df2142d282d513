import { atLeastOne } from '../lib/schema-rules.ts'
import { wordsOf } from '../lib/text/words.ts'
import * as z from '../lib/zod.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { describeRange, isWithin, parseRange, rangeIssues } from './shared/count-range.ts'
import { textProbes } from './shared/probes.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'

const config = () =>
  atLeastOne(
    z.strictObject({
      min: z.int().min(0).optional().describe('Lowest number of words. Default: 0.'),
      max: z.int().min(0).optional().describe('Highest number of words.'),
    }),
    'min',
    'max',
  )

type Config = z.output<ReturnType<typeof config>>

/** The longest probe, in words. */
const MOST_PROBED = 10_000

export const wordCount = defineEvaluator({
  type: 'word_count',
  summary: 'The answer has at least, or at most, a number of words.',
  notes: [
    'Both limits are inclusive. Words are letters and digits, with apostrophes inside of a word; punctuation is ignored. In scripts without spaces (Chinese, Japanese, Thai and others), each character is a word.',
  ],
  config,
  yields_to_files: true,
  examples: [
    { title: 'A short answer', check: { type: 'word_count', max: 50 } },
    { title: 'A summary of 100 to 150 words', check: { type: 'word_count', min: 100, max: 150 } },
  ],
  validate: { check: fields => rangeIssues(rangeOf(fields)) },
  probing: {
    probes: ({ min = 0, max }) => {
      const counts = [min, max === undefined ? min : max + 1].filter(count => count <= MOST_PROBED)
      return textProbes(
        counts.map(count => 'word '.repeat(count)),
        undefined,
        counts.length === 2,
      )
    },
  },
  sentences: {
    write: ({ config, negate }) => [sentenceOf(`Output has ${describeRange(rangeOf(config))} words`, negate)],
    parse: sentence => {
      const { said, negate } = parseNegation(sentence)
      const range = parseRange(/^Output has (.+) words$/.exec(said)?.[1] ?? '')
      if (!range) return undefined
      const { min, max } = range
      return {
        ...(min === 0 && max !== undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        ...negateField(negate),
      }
    },
  },
  grade: (fields, { answer }) => {
    const count = wordsOf(answer.text).length
    const isRight = isWithin(count, rangeOf(fields))
    const said = `has ${count} ${count === 1 ? 'word' : 'words'}, ${isRight ? '' : 'not '}${describeRange(rangeOf(fields))}`
    return { score: isRight ? 1 : 0, hits: isRight ? [said] : [], misses: isRight ? [] : [said] }
  },
})

function rangeOf({ min = 0, max }: Config) {
  return { min, max }
}
