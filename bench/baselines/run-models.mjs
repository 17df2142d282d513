// The minimum for judging answers by a model: one SDK call for every line of a .jsonl, with limited concurrency.
import { mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output } from 'ai'

globalThis.AI_SDK_LOG_WARNINGS = false
const [, , path, urls, runs, workers] = process.argv
const baseURL = readFileSync(urls, 'utf8')
const results = openSync(join(mkdtempSync(`${runs}-baseline-`), 'results.jsonl'), 'a')
const model = createOpenAICompatible({ name: 'judge', baseURL, apiKey: 'none', supportsStructuredOutputs: true })(
  'judge-model',
)
const strings = { type: 'array', items: { type: 'string' } }
const schema = {
  type: 'object',
  properties: { score: { type: 'number' }, hits: strings, misses: strings, reasoning: { type: 'string' } },
  required: ['score', 'hits', 'misses', 'reasoning'],
  additionalProperties: false,
}
const system = 'You judge the answer of an agent. Reply with one JSON object: score, hits, misses, reasoning.'
const tests = readFileSync(path, 'utf8').trimEnd().split('\n')
let next = 0
const work = async () => {
  while (next < tests.length) {
    const { id, input, criteria } = JSON.parse(tests[next++])
    const { text } = await generateText({
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: `# Question\n${input}\n\n# Criteria\n${criteria}\n\n# Answer\nThe sum is 42.` },
      ],
      allowSystemInMessages: true,
      maxRetries: 0,
      temperature: 0,
      output: Output.object({ schema: jsonSchema(schema), name: 'reply' }),
    })
    writeSync(
      results,
      `${JSON.stringify({ test_id: id, input, criteria, answer: 'The sum is 42.', ...JSON.parse(text) })}\n`,
    )
  }
}
await Promise.all(Array.from({ length: Number(workers) }, work))
