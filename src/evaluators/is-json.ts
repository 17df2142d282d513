import { z } from 'zod'
import { jsonError } from '../lib/json-error.ts'
import { shown } from '../lib/shown.ts'
import type { Issue } from '../model/issue.ts'
import type { CheckFiles } from './evaluator.ts'
import { defineEvaluator } from './evaluator.ts'
import { jsonSchemaProblem } from './shared/json-schema.ts'

export const isJson = defineEvaluator({
  type: 'is_json',
  summary: 'The answer is JSON and, where a schema is given, valid under it.',
  config: z.strictObject({
    schema: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .optional()
      .describe('A JSON Schema: written here, or the path of a JSON file.'),
    allow_fenced: z.boolean().default(false).describe('Also take JSON that stands in one fenced block.'),
  }),
  examples: [
    { title: 'Any JSON', check: { type: 'is_json' } },
    {
      title: 'An object with a name',
      check: { type: 'is_json', schema: { type: 'object', required: ['name'] }, allow_fenced: true },
    },
  ],
  files: ({ schema }) => (typeof schema === 'string' ? [{ value: schema, at: ['schema'], need: 'text' }] : []),
  issues: async ({ schema }, files) => {
    if (typeof schema === 'string') return issuesOfFile(schema, files)
    const problem = schema === undefined ? undefined : await jsonSchemaProblem(schema)
    return problem ? [bad(`this is not a JSON Schema: ${problem.message}`, problem.path)] : []
  },
  sentence: ({ config, negate }) => {
    const valid = negate ? 'Output is not valid JSON' : 'Output is valid JSON'
    if (config.schema === undefined) return [valid]
    const schema = typeof config.schema === 'string' ? config.schema : JSON.stringify(config.schema)
    return [`${valid}: matching the schema ${schema}`]
  },
})

async function issuesOfFile(path: string, files: CheckFiles): Promise<Issue[]> {
  const file = files.get(path)
  if (file?.text === undefined) return []
  const parsed = parse(file.text)
  if ('value' in parsed) {
    const problem = await jsonSchemaProblem(parsed.value)
    return problem ? [bad(`${shown(path)} is not a JSON Schema: ${problem.message}`)] : []
  }
  const inFile = { file: file.path, offset: parsed.offset, length: 1 }
  return [{ ...bad(`this schema is not JSON: ${parsed.reason}`), inFile }]
}

function parse(text: string): { value: unknown } | { offset: number; reason: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return jsonError(text)
  }
}

function bad(message: string, path: readonly string[] = []): Issue {
  return { code: 'bad-json-schema', path: ['schema', ...path], message }
}
