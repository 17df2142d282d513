import { cosineSimilarity } from '../lib/cosine-similarity.ts'
import { parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import { withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import type { GradeContext } from '../model/evaluator.ts'
import { Unjudged } from '../model/grade.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { textProbes } from './shared/probes.ts'
import { quote, unquote } from './shared/quoting.ts'
import { referenceIssues, referenceTexts } from './shared/reference-texts.ts'
import { gradeSimilarity, similarityFields, similaritySentences } from './shared/similarity.ts'
import { gradeSubject, subjectField, subjectNeeds } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'

const config = () =>
  z.strictObject({
    target: withHints(
      z.string().min(1).describe('The target that embeds the texts. Its `model` is a model for embeddings.'),
      { value: targetHint },
    ),
    ...similarityFields(),
    ...subjectField(),
  })

type Config = z.output<ReturnType<typeof config>>

export const similar = defineEvaluator({
  type: 'similar',
  summary: 'The answer means the same as a text: cosine similarity of their embeddings.',
  notes: [
    'The similarity is the cosine of the angle between the two embeddings; a negative one counts as 0. What is a high cosine depends on the model: unrelated texts often have 0.1 to 0.7. Try a few good and bad answers before you set `threshold`.',
    'The target has a model for embeddings, such as `text-embedding-3-small`, and one of the providers `openai`, `azure`, `google` and `openai_compatible`. Its own settings apply (`retries`, `timeout_seconds`, `price`, `options` such as `dimensions`). A call is counted and cached as that of a judge; `--judge` does not replace the target.',
    'The answer and all texts are embedded in one call. An answer that is the same as a text has similarity 1, and an empty one has 0, both without a call. If the service rejects a text, such as one that is too long for the model, the check is an error.',
  ],
  config,
  yields_to_files: true,
  keys: { verbatim: ['value'] },
  examples: [
    {
      title: 'The same meaning in other words',
      check: { type: 'similar', target: 'embeddings', threshold: 0.8 },
      expected_output: 'The meeting is on Tuesday.',
    },
    {
      title: 'Near one of several texts',
      check: { type: 'similar', target: 'embeddings', value: ['I do not know.', 'I cannot answer that.'] },
    },
  ],
  needs: subjectNeeds,
  judge: ({ target }) => ({ target, embeds: true }),
  validate: { test: referenceIssues },
  probing: { probes: (config, test) => textProbes(referenceTexts(config, test), config.subject) },
  sentences: withSubject(
    similaritySentences<Config>({
      write: ({ target }) => `cosine similarity by ${quote(target)}`,
      pattern: "cosine similarity by '[^'\\\\]*(?:\\\\.[^'\\\\]*)*'",
      parse: name => {
        const target = unquote(name.slice('cosine similarity by '.length))
        return target === undefined ? undefined : { target }
      },
    }),
  ),
  grade: (config, subject, context) =>
    gradeSubject(config.subject, subject, context, {
      findsParts: false,
      grade: async text =>
        gradeSimilarity(
          'cosine similarity',
          config,
          await nearestOf(text, referenceTexts(config, subject.test), context),
        ),
    }),
})

function targetHint(found: unknown): string | undefined {
  if (found !== undefined) return undefined
  return 'add `target: NAME`, a target whose `model` is one for embeddings; judges are other models'
}

/** The similarity of a text to the nearest of others. */
async function nearestOf(text: string, references: readonly string[], context: GradeContext): Promise<number> {
  if (references.includes(text)) return 1
  // Services reject texts that are blank.
  const written = references.filter(reference => reference.trim() !== '')
  if (text.trim() === '' || written.length === 0) return 0
  const [own = [], ...others] = await embed([text, ...written], context)
  return Math.max(0, ...others.map(other => cosineOf(own, other)))
}

function cosineOf(one: readonly number[], other: readonly number[]): number {
  const cosine = cosineSimilarity(one, other)
  if (cosine === undefined) throw unusable('a vector of zeros has no direction')
  return cosine
}

const vectorsSchema = lazily(() => z.array(z.array(z.number()).min(1)))
const reply_schema = lazily(() => z.toJSONSchema(vectorsSchema(), { target: 'draft-7' }))

/** Embeds texts. Returns as many vectors, all of the same length. */
async function embed(texts: readonly string[], context: GradeContext): Promise<readonly (readonly number[])[]> {
  const messages = texts.map(value => ({ role: 'user' as const, content: [{ type: 'text' as const, value }] }))
  const { text } = await context.ask({ messages, reply_schema: reply_schema(), temperature: 0, embeds: true })
  const vectors = vectorsSchema().safeParse(parseJson(text)).data
  if (!vectors) throw unusable('a vector is empty, or has values that are not finite numbers')
  if (vectors.length !== texts.length) throw unusable(`${vectors.length} vectors for ${texts.length} texts`)
  const lengths = [...new Set(vectors.map(({ length }) => length))]
  if (lengths.length > 1) throw unusable(`vectors of different lengths: ${lengths.join(', ')}`)
  return vectors
}

function unusable(problem: string): Unjudged {
  return new Unjudged('judge-reply', `the embeddings cannot be compared: ${problem}`)
}
