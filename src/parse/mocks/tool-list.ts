import { schemaValidator } from '../../evaluators/shared/json-schemas/validator.ts'
import { lazily } from '../../lib/lazily.ts'
import * as z from '../../lib/zod.ts'
import { toolNameSchema } from '../../model/mock.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import { readDocument } from '../yaml/read-document.ts'

/** A saved list of tools: the result of `tools/list`. */
const toolListSchema = lazily(() =>
  z.looseObject({
    tools: z.array(
      z.looseObject({
        name: toolNameSchema(),
        description: z.string().optional(),
        inputSchema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
)

/** A tool in a saved list of tools. */
export interface ListedTool {
  readonly description: string | undefined
  readonly input_schema: Readonly<Record<string, unknown>> | undefined
}

/** Reads a saved list of tools. Returns undefined if it has errors. */
export async function readToolList(
  path: string,
  { files, diagnostics }: SuiteContext,
): Promise<ReadonlyMap<string, ListedTool> | undefined> {
  const source = await files.read(path)
  // JSON is YAML, which has locations.
  const document = source && readDocument(source, diagnostics)
  if (!document) return undefined
  const list = checkShape(toolListSchema(), document.value, document.at, diagnostics)
  const tools = new Map<string, ListedTool>()
  for (const [index, { name, description, inputSchema }] of (list?.tools ?? []).entries()) {
    const message = inputSchema && (await schemaProblem(inputSchema))
    if (message !== undefined) {
      const at = document.at.child('tools', index, 'inputSchema')
      diagnostics.add({ code: 'bad-json-schema', at, message: `invalid JSON Schema: ${message}` })
    }
    tools.set(name, { description, input_schema: inputSchema })
  }
  return tools
}

/** Why arguments cannot be checked with a schema. Keywords that are not checked are accepted, since a server wrote them. */
async function schemaProblem(schema: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  try {
    await schemaValidator(schema, () => true)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
