import { lazily } from '../../lib/lazily.ts'
import { truncateForMessage } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { patternIn } from '../../mocks/expectation.ts'
import type { Location } from '../../model/location.ts'
import type { MockRecording, MockTool } from '../../model/mock.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import { readFrontmatter } from '../yaml/frontmatter.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { reportTextTemplates } from './template-issues.ts'
import type { ListedTool } from './tool-list.ts'

const literal = lazily(() => z.union([z.string(), z.number(), z.boolean(), z.null()]))

const frontmatterSchema = lazily(() =>
  z.strictObject({
    type: z.enum(['fixed', 'agent']).optional(),
    expect: z.record(z.string().min(1), z.union([literal(), z.array(literal()).min(1)])).optional(),
    error: z.boolean().optional(),
    tools: z.array(z.string().min(1)).min(1).optional(),
    abort_when: z.string().optional(),
  }),
)

/** A file that answers a tool, or several. */
export interface ToolFile {
  /** The tools that `_server.md` answers. */
  readonly tools: readonly string[] | undefined
  readonly expect: MockTool['expect']
  readonly is_error: boolean
  /** Whether a model would answer: only recorded calls are answered then. */
  readonly is_agent: boolean
  /** The answer, with templates. */
  readonly body: string
  readonly at: Location
}

/** What the folder of a server has besides the file. */
interface ServerContents {
  /** Texts that templates insert, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Whether a call that the file answers is recorded. */
  isRecorded(tools: readonly string[] | undefined): boolean
}

/** Reads the frontmatter and the answer of a tool. Returns undefined if it has errors. */
export async function readToolFile(
  path: string,
  { files, isRecorded }: ServerContents,
  context: SuiteContext,
): Promise<ToolFile | undefined> {
  const { diagnostics } = context
  const before = diagnostics.errors
  const source = await context.files.read(path)
  if (!source) return undefined
  const { value, at: settings, body, bodyAt } = readFrontmatter(source, diagnostics)
  const fields = value === undefined ? undefined : checkShape(frontmatterSchema(), value, settings, diagnostics)
  const { type, tools, expect, error = false } = fields ?? {}
  if (fields) reportFields(fields, settings, isRecorded(tools), diagnostics)
  const scope = { state: new Set<string>(), input: undefined, files: new Set(Object.keys(files)), diagnostics }
  if (type !== 'agent') reportTextTemplates(body, bodyAt.location(), scope)
  if (diagnostics.errors > before) return undefined
  return { tools, expect, is_error: error, is_agent: type === 'agent', body, at: source.location(0, 1) }
}

function reportFields(
  fields: z.output<ReturnType<typeof frontmatterSchema>>,
  at: SourceNode,
  isRecorded: boolean,
  diagnostics: SuiteContext['diagnostics'],
) {
  const isReplayed = fields.type === 'agent' && isRecorded
  for (const key of ['type', 'abort_when'] as const) {
    if (fields[key] === undefined || fields[key] === 'fixed') continue
    const message =
      key === 'type' ? '`type: agent` is not supported: a model would answer' : '`abort_when` is not supported'
    if (isReplayed) {
      const hint = 'only recorded calls are answered; any other call is an error of the attempt'
      diagnostics.add({ code: 'bad-mock', severity: 'warning', at: at.child(key), message, hint })
      continue
    }
    const hint = 'write the answer into this file, or use the recorded calls of the tool, without this file'
    diagnostics.add({ code: 'bad-mock', at: at.child(key), message, hint })
  }
  for (const [path, expected] of Object.entries(fields.expect ?? {})) {
    const pattern = patternIn(expected)
    const problem = pattern === undefined ? undefined : patternProblem(pattern)
    if (problem !== undefined) diagnostics.add({ code: 'bad-regex', at: at.child('expect', path), message: problem })
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
    return undefined
  } catch (error) {
    return truncateForMessage((error as Error).message)
  }
}

/** A tool, from what the folder of its server has about it. */
export function toolOf(
  file: ToolFile | undefined,
  listed: ListedTool | undefined,
  recordings: readonly MockRecording[] | undefined,
): MockTool {
  const { description, input_schema = { type: 'object' } } = listed ?? {}
  const about = { description, input_schema, recordings }
  if (!file) return { ...about, only_recordings: true }
  const { expect, is_error, is_agent, body } = file
  if (is_agent) return { ...about, expect, only_recordings: true }
  return { ...about, expect, ...(is_error ? { error: body } : { returns: body }) }
}
