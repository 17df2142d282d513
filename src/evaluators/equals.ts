import { formatDifferences, jsonDifferences } from '../lib/json/differences.ts'
import { parseJson } from '../lib/json/parse-json.ts'
import { formatJson } from '../lib/json/stringify.ts'
import { deepEqual, isMapping, isNestedWithin } from '../lib/objects.ts'
import { ruleParams, visibleText, withHints } from '../lib/schema-rules.ts'
import { textDifference } from '../lib/text/diff.ts'
import * as z from '../lib/zod.ts'
import { DEEPEST_ANSWER } from '../model/answer-limits.ts'
import { type Grade, Unjudged } from '../model/grade.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { patternOf, regexGraders } from './shared/plugin-graders.ts'
import { textProbes } from './shared/probes.ts'
import { PLAIN, valueSentence } from './shared/sentences.ts'
import { gradeSubject, nameOf, SUBJECT_HINTS, stateOf, subjectField, subjectNeeds, withName } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'
import { allTexts } from './shared/texts.ts'
import { findLargeInteger, inexactNumberError } from './shared/unjudged.ts'

const config = () =>
  withHints(
    z
      .strictObject({
        value: z
          .union([visibleText(), z.number(), z.boolean(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
          .describe(
            'The text; leading and trailing whitespace is ignored. With `subject: {mock: NAME}`, any value: the expected state.',
          ),
        ...subjectField(),
      })
      .superRefine(({ value, subject }, context) => {
        if (typeof value !== 'object' || isState(subject)) return
        const found = Array.isArray(value) ? 'a list' : 'a mapping'
        const message = `\`value\` must be a string or a number or true or false, found ${found}`
        context.addIssue({ code: 'custom', message, path: ['value'], ...ruleParams({ code: 'wrong-type' }) })
      })
      .meta({
        anyOf: [
          { properties: { value: { type: ['string', 'number', 'boolean'] } } },
          { required: ['subject'], properties: { subject: { type: 'object', required: ['mock'] } } },
        ],
      }),
    SUBJECT_HINTS,
  )

type Config = z.output<ReturnType<typeof config>>

export const equals = defineEvaluator({
  type: 'equals',
  summary: 'The answer is the text, both trimmed.',
  notes: [
    'With `subject: {mock: NAME}`, the state of the mocked server at the end is compared with `value`: a mapping, a list, a number, a boolean or a string. Keys may be in any order; nothing may be missing or added. A string that is JSON means the value in it.',
  ],
  config,
  // A state is data: its numbers are not text.
  keys: { verbatim: fields => (isState(fields['subject']) ? [] : ['value']) },
  examples: [
    { title: 'One word and nothing else', check: { type: 'equals', value: 'yes' } },
    {
      title: 'The state of a mocked server at the end',
      check: { type: 'equals', subject: { mock: 'orders' }, value: { orders: { A1: { status: 'cancelled' } } } },
    },
  ],
  needs: subjectNeeds,
  probing: { probes: ({ value, subject }) => textProbes([String(value)], subject) },
  plugin: ({ config: { value, subject }, negate }) =>
    regexGraders({ pattern: patternOf.whole(String(value)), subject, negate }),
  sentences: withSubject<Config>({
    write: ({ config, negate }) => words.write({ config: asText(config, JSON.stringify), negate }),
    show: ({ config, negate }) => words.show({ config: asText(config, value => formatJson(value)), negate }),
    parse: sentence => words.parse(sentence),
  }),
  grade: ({ value, subject }, of, context) => {
    const state = stateOf(subject, of)
    if (state) return withName(gradeState(state.value, expectedState(value)), nameOf(subject))
    return gradeSubject(subject, of, context, {
      findsParts: false,
      grade: (text, name) => gradeText(text, String(value), name),
    })
  },
})

const words = valueSentence('Output exactly equals:', 'Output does not exactly equal:', PLAIN)

/** The value as text. */
function asText({ value, subject }: Config, json: (value: unknown) => string): { readonly value: string } {
  return { value: isState(subject) ? json(expectedState(value)) : String(value) }
}

function isState(subject: unknown): boolean {
  return isMapping(subject) && subject['mock'] !== undefined
}

function gradeText(text: string, value: string, name: string | undefined): Grade {
  const [answer, expected] = [text.trim(), value.trim()]
  const grade = allTexts('equal', [value], () => answer === expected)
  return { ...withName(grade, name), misses: grade.misses.map(() => textDifference(answer, expected, name)) }
}

/** A string of JSON means the value in it. */
function expectedState(value: Config['value']): unknown {
  return (typeof value === 'string' ? parseJson(value) : undefined) ?? value
}

/** Compares data. The findings begin with a verb. */
function gradeState(state: unknown, expected: unknown): Grade {
  if (!isNestedWithin(state, DEEPEST_ANSWER))
    throw new Unjudged('too-deep', 'the state is nested too deeply to be compared')
  if (!deepEqual(state, expected)) {
    return { score: 0, hits: [], misses: [`differs: ${formatDifferences(jsonDifferences(state, expected))}`] }
  }
  // Numbers of the state may have been rounded when it was read.
  const large = findLargeInteger(state)
  if (large !== undefined) throw inexactNumberError(large)
  const said = formatJson(expected)
  return { score: 1, hits: [`equals ${said}`], misses: [], negated_misses: [`must not equal ${said}, but does`] }
}
