import { dirname, join } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { foldersUpTo } from '../../model/repository-root.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import { safeSetting, variableFor } from '../secrets.ts'
import type { Written } from '../written.ts'

/** Files with the targets of a project, nearest first in each folder. */
const CATALOGUES = ['.agentv/providers.yaml', 'providers.yaml', '.agentv/targets.yaml', 'targets.yaml']

/** The targets that a suite names, from the catalogues of its project. Those without an equivalent are noted. */
export async function namedTargets(names: readonly Written[], file: string, context: ImportContext): Promise<Fields[]> {
  const known = await readCatalogues(file, context)
  return names.flatMap(written => {
    const name = written.text() ?? written.get('label', 'name', 'id')?.text()
    const entry = written.isMapping() && written.get('command', 'model') ? written : known.get(name ?? '')
    const target = name === undefined || !entry ? undefined : convertTarget(name, entry, context)
    if (target) return [target]
    context.notes.leftOut(written.at, `the target ${quoteCode(name ?? '')}: write it in targets.yaml`)
    return []
  })
}

async function readCatalogues(file: string, { files }: ImportContext): Promise<Map<string, Written>> {
  const known = new Map<string, Written>()
  for (const folder of foldersUpTo(files.root, dirname(file))) {
    for (const name of CATALOGUES) {
      const parsed = await files.parse(join(folder, name))
      if ('problem' in parsed) continue
      for (const entry of (parsed.get('providers', 'targets') ?? parsed).items()) {
        const label = entry.get('label', 'name')?.text() ?? entry.get('id')?.text()
        if (label !== undefined && !known.has(label)) known.set(label, entry)
      }
    }
  }
  return known
}

/** Providers of AgentV with an equivalent, by name with `_`. */
const PROVIDERS: Readonly<Record<string, string>> = {
  cli: 'cli',
  openai: 'openai',
  anthropic: 'anthropic',
  azure: 'azure',
  azure_openai: 'azure',
  gemini: 'google',
  google: 'google',
  openrouter: 'openai_compatible',
  codex: 'codex_cli',
  codex_cli: 'codex_cli',
  claude: 'claude_cli',
  claude_cli: 'claude_cli',
  claude_code: 'claude_cli',
  claude_sdk: 'claude_cli',
}

function convertTarget(name: string, entry: Written, context: ImportContext): Fields | undefined {
  const written = entry.get('provider', 'id')?.text() ?? ''
  const kind = written.replaceAll('-', '_').split(':')[0] ?? ''
  const provider = Object.hasOwn(PROVIDERS, kind) ? PROVIDERS[kind] : undefined
  const fields = provider === undefined ? undefined : FIELDS[provider]?.(name, entry, context)
  if (provider === undefined || !fields) return undefined
  const read = new Set([...COMMON, ...Object.keys(fields), ...(READ[provider] ?? [])])
  for (const [key, { at }] of entry.entries())
    if (!read.has(key)) context.notes.leftOut(at, `the setting ${quoteCode(key)} of a target`, 'key')
  return { name, provider, ...fields }
}

const COMMON = [
  'id',
  'label',
  'name',
  'provider',
  'stream_log',
  'log_dir',
  'log_format',
  'verbose',
  'grader_target',
  'judge_target',
  'healthcheck',
]

/** Keys that are written differently here. */
const READ: Readonly<Record<string, readonly string[]>> = {
  azure: ['model', 'version', 'resource', 'endpoint'],
  openai_compatible: ['base_url'],
  cli: ['command_template', 'workspace_template'],
  codex_cli: ['workspace_template'],
  claude_cli: ['workspace_template'],
}

type FieldsOf = (name: string, entry: Written, context: ImportContext) => Fields | undefined

const setting = (key: string, name: string, entry: Written, { notes }: ImportContext) => {
  const written = entry.get(key)
  return written && safeSetting(key, written, variableFor(name, key), notes)
}

const modelFields: FieldsOf = (name, entry, context) => {
  const model = setting('model', name, entry, context)
  if (typeof model !== 'string') return undefined
  return withoutNullish({
    model,
    api_key: setting('api_key', name, entry, context),
    base_url: setting('base_url', name, entry, context),
    temperature: entry.get('temperature')?.number(),
    system_prompt: entry.get('system_prompt')?.text(),
  })
}

const agentFields: FieldsOf = (name, entry, context) =>
  withoutNullish({
    model: setting('model', name, entry, context),
    workspace: workspaceOf(entry, context.files, context.output),
  })

/** The folder that every attempt gets a copy of. */
function workspaceOf(entry: Written, files: ImportContext['files'], output: string): string | undefined {
  const template = entry.get('workspace_template')?.text()
  const folder = template === undefined ? undefined : files.resolve(template, entry.at.file)
  return folder !== undefined && files.isInside(folder) ? files.pathFrom(output, folder) : undefined
}

const FIELDS: Readonly<Record<string, FieldsOf>> = {
  openai: modelFields,
  anthropic: modelFields,
  google: modelFields,
  openai_compatible: (name, entry, context) => {
    const fields = modelFields(name, entry, context)
    return fields && { base_url: 'https://openrouter.ai/api/v1', api_key: '${{ OPENROUTER_API_KEY }}', ...fields }
  },
  azure: (name, entry, context) => {
    const endpoint = setting('endpoint', name, entry, context) ?? setting('resource', name, entry, context)
    const deployment = setting('model', name, entry, context) ?? setting('deployment', name, entry, context)
    if (endpoint === undefined || deployment === undefined) return undefined
    return withoutNullish({ endpoint, deployment, api_key: setting('api_key', name, entry, context) })
  },
  codex_cli: agentFields,
  claude_cli: agentFields,
  cli: (_, entry, { files, output }) => {
    const command = entry.get('command', 'command_template')
    const { value } = command ?? {}
    if (typeof value !== 'string' && !Array.isArray(value)) return undefined
    const folder = files.resolve(entry.get('cwd')?.text() ?? '.', entry.at.file)
    const cwd = folder === output || !files.isInside(folder) ? undefined : files.pathFrom(output, folder)
    const timeout = entry.get('timeout_seconds')?.number()
    const workspace = workspaceOf(entry, files, output)
    const where = workspace === undefined || entry.get('cwd') ? { cwd, workspace } : { workspace }
    return withoutNullish({ command: value, ...where, timeout_seconds: timeout })
  },
}
