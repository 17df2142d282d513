import { lazily } from '../../lib/lazily.ts'
import * as z from '../../lib/zod.ts'
import type { CheckSentences } from '../../model/evaluator.ts'
import type { Grade } from '../../model/grade.ts'
import { nameReferences, parseReferences, type ReferenceConfig, referenceFields } from './reference-texts.ts'
import { negateField, parseNegation, sentenceOf } from './sentences.ts'

/** Fields of checks that measure how similar an answer is to a text. */
export const similarityFields = lazily(() => ({
  ...referenceFields(),
  threshold: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('Lowest similarity that scores 1; a lower one scores 0. Default: the similarity is the score.'),
}))

interface SimilarityConfig extends ReferenceConfig {
  readonly threshold?: number | undefined
}

/** How the sentence of a check names its measure. */
interface MeasureName<Config> {
  write(config: Config): string
  /** The source of a regular expression for what `write` returns. */
  readonly pattern: string
  /** The fields in a name; undefined for any other name. Default: none. */
  parse?(name: string): Record<string, unknown> | undefined
}

/** `Output has a BLEU of at least 0.4 to 'x'`. */
export function similaritySentences<Config extends SimilarityConfig>(
  measure: MeasureName<Config>,
): CheckSentences<Config> {
  const pattern = new RegExp(
    `^Output has a (${measure.pattern}) of (?:at least ([\\d.e-]+)|as much as possible) to (.+)$`,
    's',
  )
  return {
    write: ({ config, negate }) => {
      const much = config.threshold === undefined ? 'as much as possible' : `at least ${config.threshold}`
      return [sentenceOf(`Output has a ${measure.write(config)} of ${much} to ${nameReferences(config)}`, negate)]
    },
    parse: sentence => {
      const { said, negate } = parseNegation(sentence)
      const [, name, threshold, texts = ''] = pattern.exec(said) ?? []
      const own = name === undefined ? undefined : measure.parse ? measure.parse(name) : {}
      const references = parseReferences(texts)
      if (!own || !references) return undefined
      return {
        ...references,
        ...own,
        ...(threshold === undefined ? {} : { threshold: Number(threshold) }),
        ...negateField(negate),
      }
    },
  }
}

/** Grades by the similarity to the nearest of the texts. */
export function gradeSimilarity(name: string, { threshold }: SimilarityConfig, nearest: number): Grade {
  const said = `${name} ${rounded(nearest)}`
  const details = { similarity: nearest }
  if (threshold === undefined)
    return { score: nearest, hits: nearest > 0 ? [said] : [], misses: nearest < 1 ? [said] : [], details }
  const isNear = nearest >= threshold - ROUNDING
  const compared = `${said} is ${isNear ? 'at least' : 'below'} ${threshold}`
  return { score: isNear ? 1 : 0, hits: isNear ? [compared] : [], misses: isNear ? [] : [compared], details }
}

const ROUNDING = 1e-9

function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
