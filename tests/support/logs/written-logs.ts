import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { folderWith } from '../program.ts'

/** A run of a turn in a log file. */
export interface WrittenRun {
  readonly run: number
  readonly output: string
  readonly tools_called: string[]
  readonly expected: string
  readonly evaluation: string
  readonly meta: string
}

export interface WrittenLog {
  readonly name: string
  readonly created: string
  readonly updated: string
  readonly runs: number
  readonly model: string
  readonly turns: (WrittenRun & { readonly input: string; readonly history: WrittenRun[] })[]
}

export interface WrittenRunFile {
  readonly system_prompt: string
  readonly model: string
  readonly cwd: string
  readonly tokens: number | null
  readonly cost: number | null
  readonly duration_ms: number | null
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: messages of any role
  readonly messages: any[]
}

export const LOGS = '.co/evals'

export function logIn(folder: string, name: string, logs = LOGS): WrittenLog {
  return load(readFileSync(join(folder, logs, `${name}.yaml`), 'utf8')) as WrittenLog
}

export function runIn(folder: string, name: string, run = 1, logs = LOGS): WrittenRunFile {
  const fields = load(readFileSync(join(folder, logs, name, `run_${run}.yaml`), 'utf8')) as { messages: string }
  return { ...(fields as unknown as WrittenRunFile), messages: JSON.parse(fields.messages) }
}

/** The names of all logs in a folder. */
export function logNames(folder: string, logs = LOGS): string[] {
  const names = readdirSync(join(folder, logs)).filter(name => name.endsWith('.yaml'))
  return names.map(name => name.slice(0, -'.yaml'.length)).sort()
}

/** Every file of the logs, with its bytes. */
export function bytesOf(folder: string, logs = LOGS): Record<string, string> {
  const paths = readdirSync(join(folder, logs), { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  return Object.fromEntries(
    paths.map(entry => join(entry.parentPath, entry.name)).map(path => [path, readFileSync(path, 'base64')]),
  )
}

/** The text of a log file of one run, as JSON, which is YAML. */
export function logText(
  turns: readonly (Partial<WrittenRun> & { input: string; history?: Partial<WrittenRun>[] })[],
  more: object = {},
): string {
  const written = turns.map(turn => ({ run: 1, output: '', expected: '', evaluation: '', ...turn }))
  return JSON.stringify({ name: 'log', runs: 1, model: 'before', turns: written, ...more })
}

/** A folder with logs and targets. */
export function logsFolder(
  logs: Readonly<Record<string, string>>,
  targets: readonly object[],
  files: Record<string, string | Uint8Array> = {},
): string {
  const written = Object.entries(logs).map(([name, text]) => [`${LOGS}/${name}.yaml`, text])
  return folderWith({
    ...Object.fromEntries(written),
    ...(targets.length > 0 ? { '.assay/targets.yaml': JSON.stringify({ targets }) } : {}),
    ...files,
  })
}

/** Answers with the system message, the number of user messages, the input and its last answer. Fails for `fail`. */
export const COUNTING_AGENT = `import { appendFileSync, readFileSync } from 'node:fs'
const { messages, system_prompt } = JSON.parse(readFileSync(0, 'utf8'))
const asked = messages.filter(({ role }) => role === 'user')
const input = asked.at(-1).content
const said = messages.findLast(({ role, tool_calls }) => role === 'assistant' && !tool_calls)?.content
const system = system_prompt ?? messages.find(({ role }) => role === 'system')?.content
if (input.includes('fail')) {
  process.stderr.write('no such luck')
  process.exit(7)
}
if (input.includes('wait')) {
  appendFileSync('waiting.txt', 'waits\\n')
  await new Promise(resolve => setTimeout(resolve, 600_000))
}
const text = [system && '(' + system + ')', asked.length + '.', input, said && 'after <' + said + '>'].filter(Boolean).join(' ')
const call = { tool: 'count', input: { upto: asked.length, of: { words: input.split(' ') } }, output: asked.length }
const output_messages = [{ role: 'assistant', tool_calls: [call] }, { role: 'assistant', content: text }]
process.stdout.write(JSON.stringify({ output_messages, token_usage: { input: 3, output: 4 }, cost_usd: 0.25, model: 'counter-1' }))
`

export const COUNTING = { name: 'default', provider: 'cli', command: ['node', 'agent.mjs'], stdin: 'json' }

/** A test of a suite from logs. */
export interface WrittenTest {
  id: string
  conversation_id: string
  input: unknown
  expected_output: string
  assertions: { type: string; value?: string; expected?: { tool: string; args?: unknown }[] }[]
  metadata: { source: string; turn: number; run: number }
}

export const testsIn = (text: string) => (load(text) as { tests: WrittenTest[] }).tests
