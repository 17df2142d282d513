import { jsonSchemaProblems } from '../../evaluators/shared/json-schemas/schema-problems.ts'
import { lazily } from '../../lib/lazily.ts'
import { isMapping } from '../../lib/objects.ts'
import * as z from '../../lib/zod.ts'
import { argumentName, inputSchema } from '../../mocks/expectation.ts'
import { parseStatePath } from '../../mocks/template.ts'
import {
  type MockServer,
  type Mocks,
  type MockTool,
  mocksSchema,
  type writtenServerSchema,
  type writtenToolSchema,
} from '../../model/mock.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import { reportLongIntegers } from '../shape/written-scalars.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { loadMocksFolder } from './mocks-folder.ts'
import { reportNotJson, reportStatePath, reportTemplates, type TemplateScope } from './template-issues.ts'

// With its key, which messages name.
const writtenMocks = lazily(() => z.strictObject({ mocks: mocksSchema() }))

type WrittenServer = z.output<ReturnType<typeof writtenServerSchema>>
type WrittenTool = z.output<ReturnType<typeof writtenToolSchema>>

/** Loads `mocks` of a suite or test: a folder, or servers as written. Returns undefined if they have errors. */
export async function loadMocks(raw: unknown, at: SourceNode, context: SuiteContext): Promise<Mocks | undefined> {
  const { diagnostics } = context
  const { mocks: written } = checkShape(writtenMocks(), { mocks: raw }, at.wrapped('mocks'), diagnostics) ?? {}
  if (typeof written === 'string') return loadMocksFolder(written, at, context)
  if (!written) return undefined
  reportLongIntegers(written, at, diagnostics)
  const servers: Record<string, MockServer> = {}
  for (const [name, server] of Object.entries(written))
    servers[name] = await loadServer(server, at.child(name), diagnostics)
  return { servers, paths: [] }
}

/** The mocks of a test: its own servers replace those of the suite with the same name. */
export function mergeMocks(suite: Mocks | undefined, own: Mocks | undefined): Mocks | undefined {
  if (!suite || !own) return own ?? suite
  return { servers: { ...suite.servers, ...own.servers }, paths: [...new Set([...suite.paths, ...own.paths])] }
}

async function loadServer(
  { state = {}, tools: written }: WrittenServer,
  at: SourceNode,
  diagnostics: Diagnostics,
): Promise<MockServer> {
  // The state is as written: templates are filled in only in what tools return and set.
  const keys = new Set([...Object.keys(state), ...Object.values(written).flatMap(({ set = {} }) => createdKeys(set))])
  reportNotJson(state, at.child('state'), { diagnostics })
  const tools: Record<string, MockTool> = {}
  for (const [name, tool] of Object.entries(written)) {
    const toolAt = at.child('tools', name)
    const input = argumentNames(tool)
    const scope: TemplateScope = { state: keys, input, files: undefined, diagnostics }
    reportOptionalTwice(tool.input ?? {}, toolAt.child('input'), diagnostics)
    if (tool.input_schema) await reportSchema(tool.input_schema, toolAt.child('input_schema'), diagnostics)
    for (const key of ['returns', 'error'] as const) reportTemplates(tool[key], toolAt.child(key), scope)
    for (const [path, value] of Object.entries(tool.set ?? {})) {
      reportStatePath(path, toolAt.child('set', path), scope)
      reportTemplates(value, toolAt.child('set', path), scope)
    }
    const { input: types, input_schema = inputSchema(types), ...rest } = tool
    tools[name] = { ...rest, input_schema }
  }
  return { state, tools }
}

/** The keys of the state that `set` creates. */
function createdKeys(set: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(set).flatMap(path => {
    try {
      const [first, ...others] = parseStatePath(path)
      return others.length === 0 && typeof first === 'string' ? [first] : []
    } catch {
      // Reported with the tool.
      return []
    }
  })
}

/** Names of the arguments that a tool allows; undefined if it allows any. */
function argumentNames({ input, input_schema }: WrittenTool): ReadonlySet<string> | undefined {
  if (input) return new Set(Object.keys(input).map(argumentName))
  const { properties, additionalProperties } = input_schema ?? {}
  return isMapping(properties) && additionalProperties === false ? new Set(Object.keys(properties)) : undefined
}

function reportOptionalTwice(input: Readonly<Record<string, string>>, at: SourceNode, diagnostics: Diagnostics): void {
  for (const written of Object.keys(input)) {
    const name = argumentName(written)
    if (written === name || !Object.hasOwn(input, name)) continue
    const message = `\`${name}\` and \`${written}\` cannot be used together`
    diagnostics.add({ code: 'bad-mock', at: at.child(written), part: 'key', message, hint: 'keep one of them' })
  }
}

async function reportSchema(schema: Readonly<Record<string, unknown>>, at: SourceNode, diagnostics: Diagnostics) {
  for (const { path, part, message, hint } of await jsonSchemaProblems(schema)) {
    diagnostics.add({
      code: 'bad-json-schema',
      at: at.child(...path),
      ...(part ? { part } : {}),
      message: `invalid JSON Schema: ${message}`,
      hint,
    })
  }
  if (schema['type'] === 'object') return
  const message = 'the arguments of a tool are a mapping: `type` must be `object`'
  diagnostics.add({ code: 'bad-json-schema', at: at.child('type'), message, hint: 'write `type: object`' })
}
