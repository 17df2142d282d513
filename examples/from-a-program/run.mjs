import { defineEvaluator, defineProvider, evaluate } from 'assay'
import { z } from 'zod'

/** A target inside this program that repeats its input. */
const echo = defineProvider({
  type: 'echo',
  config: z.strictObject({ prefix: z.string().default('') }),
  async answer({ prefix }, { messages }) {
    const said = messages
      .at(-1)
      .content.map(block => block.value)
      .join('\n')
    return { text: prefix + said }
  },
})

/** A check type that limits the number of words. */
const atMostWords = defineEvaluator({
  type: 'at_most_words',
  config: z.strictObject({ words: z.int().min(1) }),
  grade({ words }, { answer }) {
    const count = answer.text.split(/\s+/).length
    const fact = `has ${count} words`
    return count <= words ? { score: 1, hits: [fact], misses: [] } : { score: 0, hits: [], misses: [fact] }
  },
})

const { diagnostics, run } = await evaluate({
  cwd: import.meta.dirname,
  paths: ['suite.yaml'],
  evaluators: [atMostWords],
  providers: [echo],
})
for (const { file, line, column, message } of diagnostics) console.error(`${file}:${line}:${column} ${message}`)
for (const { test_id, verdict, score, misses } of run?.results() ?? []) console.log(test_id, verdict, score, misses)
