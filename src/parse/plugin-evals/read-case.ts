import { basename, join } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import type { CaseFields } from '../../spec/plugin-evals/case-fields.ts'
import type { LoadContext } from '../suite/load-context.ts'
import type { RawTest } from '../suite/raw-suite.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { findCaseFile, rebaseFolders } from './case-paths.ts'
import { type CaseSettings, readCaseSettings } from './case-settings.ts'
import type { CaseFolder } from './find-cases.ts'
import { readGraders } from './read-graders.ts'
import { scaffoldCommand } from './scaffold-script.ts'
import { readSession } from './session-file.ts'

export interface CaseContext {
  /** The folder that paths of the test start from. */
  readonly base: string
  /** Whether the case also runs without the plugin. */
  readonly hasControl: boolean
}

/** Reads a case as a test. Returns undefined after reporting why it cannot run. */
export async function readCase(
  found: CaseFolder,
  { base, hasControl }: CaseContext,
  context: LoadContext,
): Promise<RawTest | undefined> {
  const { folder } = found
  const settings = await readCaseSettings(found, context)
  const before = context.diagnostics.errors
  const graders = await readGraders(folder, settings?.graders ?? [], { hasControl }, context)
  if (!settings) return undefined
  const { fields, nodes, at } = settings
  const isUngraded = graders.length === 0
  if (isUngraded && context.diagnostics.errors === before) reportNoGraders(settings, context)
  const { name = basename(folder), description, expected_outcome, tags } = fields
  const hasMocks = (await context.files.stat(join(folder, 'mocks'))) !== undefined
  const raw = withoutNullish({
    id: name,
    description,
    criteria: expected_outcome,
    input: await inputOf(settings, folder, context),
    assert: graders.map(grader => grader.raw),
    execution: await executionOf(settings, { folder, base }, context),
    metadata: tags && { tags },
    mocks: hasMocks ? 'mocks' : undefined,
  })
  const located = withoutNullish({
    id: nodes.name ?? at,
    description: nodes.description,
    criteria: nodes.expected_outcome,
    input: nodes.prompt,
    assert: at.with(Object.fromEntries(graders.map((grader, index) => [index, grader.at]))),
    execution: executionNode(settings),
    metadata: nodes.tags && at.with({ tags: nodes.tags }),
    mocks: at,
  })
  return isUngraded ? undefined : { raw, at: at.with(located) }
}

async function inputOf(
  { fields, nodes, at }: CaseSettings,
  folder: string,
  context: LoadContext,
): Promise<string | readonly object[]> {
  const { prompt = '', history_file, append_system_prompt: system } = fields
  if (prompt.trim() === '') {
    const hint = 'write what the agent should do, after the frontmatter of `prompt.md`'
    context.diagnostics.add({ code: 'bad-case', at: nodes.prompt ?? at, message: 'the prompt is empty', hint })
  }
  const historyAt = nodes.history_file ?? at
  const path = history_file && (await findCaseFile(history_file, folder, historyAt, context))
  const earlier = path ? await readSession(path, historyAt, context) : []
  if (system === undefined && earlier.length === 0) return prompt
  return [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...earlier,
    { role: 'user', content: prompt },
  ]
}

const AGENT_KEYS = ['model', 'max_turns', 'allowed_tools', 'disallowed_tools', 'env'] as const
const FOLDER_KEYS = ['plugins', 'add_dirs'] as const

async function executionOf(
  { fields, nodes, at }: CaseSettings,
  { folder, base }: { readonly folder: string; readonly base: string },
  context: LoadContext,
): Promise<object> {
  const agent: Partial<Record<keyof CaseFields, unknown>> = {}
  for (const key of AGENT_KEYS) agent[key] = fields[key]
  // Missing ones are reported with the targets.
  for (const key of FOLDER_KEYS) agent[key] = fields[key] && rebaseFolders(fields[key], { folder, base })
  const { runs: trials, timeout_seconds, scaffold_script } = fields
  const scriptAt = nodes.scaffold_script ?? at
  const script = scaffold_script && (await findCaseFile(scaffold_script, folder, scriptAt, context))
  const setup = script ? await scaffoldCommand(script, { folder, base }, context) : undefined
  const given = withoutNullish(agent)
  return withoutNullish({
    trials,
    timeout_seconds,
    setup,
    agent: Object.keys(given).length === 0 ? undefined : given,
  })
}

function executionNode({ nodes, at }: CaseSettings): SourceNode {
  const agent = Object.fromEntries(
    [...AGENT_KEYS, ...FOLDER_KEYS].flatMap(key => (nodes[key] ? [[key, nodes[key]]] : [])),
  )
  return at.with(
    withoutNullish({
      trials: nodes.runs,
      timeout_seconds: nodes.timeout_seconds,
      setup: nodes.scaffold_script,
      agent: at.with(agent),
    }),
  )
}

function reportNoGraders({ at }: CaseSettings, { diagnostics }: LoadContext): void {
  const hint = 'add a file for each grader, `graders/NAME.md`, or `graders` to `case.yaml`'
  diagnostics.add({ code: 'nothing-grades', at, message: 'this case has no graders', hint })
}
