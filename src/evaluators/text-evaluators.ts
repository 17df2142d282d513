import { singleLine, truncateStart } from '../lib/text/quote.ts'
import type { Evaluator } from '../model/evaluator.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { patternOf, regexGraders } from './shared/plugin-graders.ts'
import { textProbes } from './shared/probes.ts'
import { QUOTED, QUOTED_LIST, valueSentence } from './shared/sentences.ts'
import { gradeSubject, subjectNeeds, withName } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'
import { allTexts, anyText, manyTexts, oneText, oneTrimmedText, type Verb } from './shared/texts.ts'

/** A check that looks for texts in the answer. */
interface TextEvaluator<Value> {
  readonly type: string
  readonly summary: string
  readonly example: { readonly title: string; readonly value: Value }
  /** The sentence before its value, and the same negated. */
  readonly words: readonly [says: string, denies: string]
  readonly matcher: Matcher
  /** Flags of a regular expression that matches the same. Default: none. */
  readonly flags?: string
}

/** Prepares an answer once, then tells for each text whether the answer matches it. */
type Matcher = (answer: string) => (text: string) => boolean

const includes: Matcher = answer => text => answer.includes(text)
const includesIgnoringCase: Matcher = answer => {
  const folded = foldCase(answer)
  return text => folded.includes(foldCase(text))
}
const trimmed =
  (matches: (answer: string, text: string) => boolean): Matcher =>
  answer => {
    const whole = answer.trim()
    return text => matches(whole, text.trim())
  }

/** Every evaluator that looks for texts, in the order of the reference. */
export const textEvaluators: readonly Evaluator[] = [
  containsText({
    type: 'contains',
    summary: 'The answer contains the text, case-sensitive.',
    example: { title: 'The amount is in the answer', value: '$22,500' },
    words: ['Output contains', 'Output does not contain'],
    matcher: includes,
  }),
  containsText({
    type: 'icontains',
    summary: 'The answer contains the text, ignoring case.',
    example: { title: 'Any way of writing the name', value: 'alice' },
    words: ['Output contains, ignoring case,', 'Output does not contain, ignoring case,'],
    matcher: includesIgnoringCase,
    flags: 'iu',
  }),
  comparesText('start with', {
    type: 'starts_with',
    summary: 'The answer, trimmed, starts with the text.',
    example: { title: 'A greeting comes first', value: 'Hello' },
    words: ['Output starts with', 'Output does not start with'],
    matcher: trimmed((answer, text) => answer.startsWith(text)),
    findsParts: true,
    pattern: patternOf.start,
  }),
  comparesText('end with', {
    type: 'ends_with',
    summary: 'The answer, trimmed, ends with the text.',
    example: { title: 'The answer ends with a question', value: '?' },
    words: ['Output ends with', 'Output does not end with'],
    matcher: trimmed((answer, text) => answer.endsWith(text)),
    findsParts: false,
    describeMiss: (miss, answer) => `${miss}${describeEnd(answer)}`,
    pattern: patternOf.end,
  }),
  containsTexts(anyText, {
    type: 'contains_any',
    summary: 'The answer contains at least one of the texts.',
    example: { title: 'One of two words', value: ['sorry', 'apologise'] },
    words: ['Output contains any of:', 'Output contains none of:'],
    matcher: includes,
  }),
  containsTexts(allTexts, {
    type: 'contains_all',
    summary: 'The answer contains every one of the texts.',
    example: { title: 'All three months', value: ['November', 'September', 'December'] },
    words: ['Output contains all of:', 'Output does not contain all of:'],
    matcher: includes,
  }),
  containsTexts(anyText, {
    type: 'icontains_any',
    summary: 'The answer contains at least one of the texts, ignoring case.',
    example: { title: 'One of two words', value: ['refund', 'money back'] },
    words: ['Output contains, ignoring case, any of:', 'Output contains, ignoring case, none of:'],
    matcher: includesIgnoringCase,
    flags: 'iu',
  }),
  containsTexts(allTexts, {
    type: 'icontains_all',
    summary: 'The answer contains every one of the texts, ignoring case.',
    example: { title: 'Both names', value: ['alice', 'bob'] },
    words: ['Output contains, ignoring case, all of:', 'Output does not contain, ignoring case, all of:'],
    matcher: includesIgnoringCase,
    flags: 'iu',
  }),
]

/** Looks for one text. */
function containsText({ type, summary, example, words, matcher, flags }: TextEvaluator<string>) {
  return defineEvaluator({
    type,
    summary,
    config: oneText,
    keys: { verbatim: ['value'] },
    examples: [{ title: example.title, check: { type, value: example.value } }],
    sentences: withSubject(valueSentence(...words, QUOTED)),
    plugin: ({ config, negate }) => regexGraders({ ...config, pattern: patternOf.text(config.value), flags, negate }),
    needs: subjectNeeds,
    probing: { probes: ({ value, subject }) => textProbes([value], subject) },
    grade: ({ value, subject }, of, context) =>
      gradeSubject(subject, of, context, {
        findsParts: true,
        grade: (text, name) => withName(allTexts('contain', [value], matcher(text)), name),
      }),
  })
}

interface TrimmedEvaluator extends TextEvaluator<string> {
  /** Whether a text that is cut off is enough. */
  readonly findsParts: boolean
  /** A miss with more detail; the answer is trimmed. */
  describeMiss?(miss: string, answer: string): string
  /** A regular expression that matches the same. */
  pattern(text: string): string
}

/** Compares one text with the answer, both trimmed. */
function comparesText(verb: Verb, { type, summary, example, words, ...own }: TrimmedEvaluator) {
  const { matcher, findsParts, pattern, describeMiss = (miss: string) => miss } = own
  return defineEvaluator({
    type,
    summary,
    config: oneTrimmedText,
    keys: { verbatim: ['value'] },
    examples: [{ title: example.title, check: { type, value: example.value } }],
    sentences: withSubject(valueSentence(...words, QUOTED)),
    plugin: ({ config, negate }) => regexGraders({ ...config, pattern: pattern(config.value), negate }),
    needs: subjectNeeds,
    probing: { probes: ({ value, subject }) => textProbes([value], subject) },
    grade: ({ value, subject }, of, context) =>
      gradeSubject(subject, of, context, {
        findsParts,
        grade: (text, name) => {
          const grade = allTexts(verb, [value], matcher(text))
          return withName({ ...grade, misses: grade.misses.map(miss => describeMiss(miss, text.trim())) }, name)
        },
      }),
  })
}

/** Looks for several texts. */
function containsTexts(
  grade: typeof allTexts,
  { type, summary, example, words, matcher, flags }: TextEvaluator<readonly string[]>,
) {
  return defineEvaluator({
    type,
    summary,
    config: manyTexts,
    keys: { verbatim: ['value'] },
    examples: [{ title: example.title, check: { type, value: example.value } }],
    sentences: withSubject(valueSentence(...words, QUOTED_LIST)),
    plugin: ({ config, negate }) => {
      const pattern = grade === anyText ? patternOf.any(config.value) : patternOf.all(config.value)
      return regexGraders({ ...config, pattern, flags, negate })
    },
    needs: subjectNeeds,
    probing: { probes: ({ value, subject }) => textProbes([value.join('\n')], subject) },
    grade: ({ value, subject }, of, context) =>
      gradeSubject(subject, of, context, {
        findsParts: true,
        grade: (text, name) => withName(grade('contain', value, matcher(text)), name),
      }),
  })
}

/** Folds case independently of the position of a letter: a lower sigma has two forms, an upper one does not. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

const LONG_ANSWER = 160
const LONGEST_END = 80

/** The end of a long answer, of which reports show the beginning. */
function describeEnd(answer: string): string {
  return answer.length > LONG_ANSWER ? `, but with "${singleLine(truncateStart(answer, LONGEST_END))}"` : ''
}
