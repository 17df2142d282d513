import { lazily } from '../lib/lazily.ts'
import { bleu as bleuOf, editSimilarity, MOST_STEPS, rougeL, rougeN } from '../lib/text/similarity.ts'
import { wordsOf } from '../lib/text/words.ts'
import * as z from '../lib/zod.ts'
import type { Evaluator, Subject } from '../model/evaluator.ts'
import { Unjudged } from '../model/grade.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { referenceIssues, referenceTexts } from './shared/reference-texts.ts'
import { gradeSimilarity, similarityFields, similaritySentences } from './shared/similarity.ts'

const fields = lazily(() => z.strictObject(similarityFields()))

type Config = z.output<ReturnType<typeof fields>>

/** How similar a text is to another, from 0 to 1. Throws `Unjudged` if they are too long. */
type Similarity = (answer: string, reference: string) => number

interface Metric {
  readonly type: string
  readonly name: string
  readonly summary: string
  readonly notes: readonly string[]
  readonly example: { readonly title: string; readonly expected: string; readonly threshold: number }
}

const WORDS =
  'Words are letters and digits in lower case, with apostrophes inside of a word; punctuation is ignored. In scripts without spaces (Chinese, Japanese, Thai and others), each character is a word.'

const levenshtein = metricEvaluator(
  {
    type: 'levenshtein',
    name: 'Levenshtein similarity',
    summary: 'The answer is spelt like a text: similarity by edit distance.',
    notes: [
      'The similarity is 1 − distance / length of the longer text, in characters (code points, after normalization to NFC). The distance is the number of characters to insert, delete or replace. Both texts are trimmed; case counts.',
    ],
    example: { title: 'At most a few typing errors', expected: 'Reykjavík', threshold: 0.9 },
  },
  (answer, reference) => {
    requireShort(answer.length, reference.length)
    return editSimilarity(answer.trim(), reference.trim())
  },
)

const bleu = metricEvaluator(
  {
    type: 'bleu',
    name: 'BLEU',
    summary: 'The answer uses the sequences of words of a text: sentence BLEU, as for translations.',
    notes: [
      'BLEU counts the share of the 1-, 2-, 3- and 4-grams of the answer that the text has, and lowers it for answers that are shorter. For 2 words and more, both counts are raised by one (smoothing of Lin and Och, 2004), so that a sentence without a common 4-gram is not 0. Texts of fewer than 4 words use n-grams up to the length of the shorter one.',
      WORDS,
    ],
    example: { title: 'A translation near the reference', expected: 'The cat sits on the mat.', threshold: 0.4 },
  },
  byWords(bleuOf),
)

const rougeFields = lazily(() =>
  fields().extend({
    variant: z
      .enum(['1', '2', 'L'])
      .default('L')
      .describe('What is counted: `1` words, `2` pairs of words, `L` the longest common sequence of words.'),
  }),
)

type RougeConfig = z.output<ReturnType<typeof rougeFields>>

const rouge = defineEvaluator({
  type: 'rouge',
  summary: 'The answer has the words of a text: ROUGE-1, ROUGE-2 or ROUGE-L, as for summaries.',
  notes: [
    'The similarity is the F-measure: twice the common count, divided by the counts of both. Words are not stemmed, and no words are left out. In `L`, the common words need the same order, with others between them.',
    WORDS,
  ],
  config: rougeFields,
  yields_to_files: true,
  keys: { verbatim: ['value', 'variant'] },
  examples: [
    {
      title: 'A summary with the words of the reference',
      check: { type: 'rouge', variant: '1', threshold: 0.5 },
      expected_output: 'Revenue grew by 12 %, mostly in Asia.',
    },
  ],
  validate: { test: referenceIssues },
  probing: {
    probes: (config, test) => ({ probes: referenceTexts(config, test).map(text => ({ text })), is_complete: true }),
  },
  sentences: similaritySentences<RougeConfig>({
    write: ({ variant }) => `ROUGE-${variant}`,
    pattern: 'ROUGE-[12L]',
    parse: name => ({ variant: name.slice(-1) }),
  }),
  grade: (config, subject) =>
    gradeSimilarity(`ROUGE-${config.variant}`, config, nearestOf(config, subject, rougeOf(config))),
})

/** Checks that measure how similar an answer is to a text. */
export const textMetrics: readonly Evaluator[] = [levenshtein, rouge as Evaluator, bleu]

function rougeOf({ variant }: RougeConfig): Similarity {
  return byWords((words, wanted) => {
    if (variant !== 'L') return rougeN(words, wanted, Number(variant))
    requireShort(words.length, wanted.length)
    return rougeL(words, wanted)
  })
}

/** Compares the words of two texts. Texts without words, such as emoji, are equal or not. */
function byWords(measure: (words: readonly string[], wanted: readonly string[]) => number): Similarity {
  return (answer, reference) => {
    const [words, wanted] = [wordsOf(answer), wordsOf(reference)]
    if (words.length === 0 && wanted.length === 0) return Number(answer.trim() === reference.trim())
    return measure(words, wanted)
  }
}

/** An evaluator whose only field besides the texts is the threshold. */
function metricEvaluator({ type, name, summary, notes, example }: Metric, similarity: Similarity): Evaluator {
  return defineEvaluator({
    type,
    summary,
    notes,
    config: fields,
    yields_to_files: true,
    keys: { verbatim: ['value'] },
    examples: [
      { title: example.title, check: { type, threshold: example.threshold }, expected_output: example.expected },
      { title: 'Against several texts', check: { type, value: [example.expected, 'Another good answer'] } },
    ],
    validate: { test: referenceIssues },
    probing: {
      probes: (config, test) => ({ probes: referenceTexts(config, test).map(text => ({ text })), is_complete: true }),
    },
    sentences: similaritySentences<Config>({ write: () => name, pattern: name }),
    grade: (config: Config, subject) => gradeSimilarity(name, config, nearestOf(config, subject, similarity)),
  }) as Evaluator
}

function nearestOf(config: Config, { answer, test }: Subject, similarity: Similarity): number {
  return Math.max(...referenceTexts(config, test).map(reference => similarity(answer.text, reference)))
}

function requireShort(one: number, other: number): void {
  if (one * other > MOST_STEPS)
    throw new Unjudged('too-long', `texts of ${one} and ${other} units are too long to be compared`)
}
