import { isMapping } from '../../../lib/is-mapping.ts'
import { type Event, errorText, numberIn, textIn } from './agent-events.ts'
import { shellCommand } from './shell-command.ts'

/** A call of a tool, and what came of it so far. */
export interface CodexCall {
  readonly tool: string
  readonly raw: string
  readonly input: unknown
  readonly output?: unknown
  readonly error?: string | undefined
}

/** The calls that an item of Codex stands for, under the names that all agents share; undefined for an item that is none. */
export function codexCalls(item: Event): readonly CodexCall[] | undefined {
  return KINDS.get(item['type'])?.(item)
}

const KINDS = new Map<unknown, (item: Event) => readonly CodexCall[]>([
  ['command_execution', item => [commandCall(item)]],
  ['file_change', fileCalls],
  ['mcp_tool_call', item => [mcpCall(item)]],
  ['web_search', ({ query }) => [{ tool: 'WebSearch', raw: 'web_search', input: { query } }]],
])

/** A command; one that reads the text of a skill is how Codex takes the skill up. */
function commandCall(item: Event): CodexCall {
  const command = shellCommand(textIn(item, 'command') ?? '')
  const file_path = skillRead(command)
  const output = item['aggregated_output']
  const failed = item['status'] === 'failed' || item['status'] === 'declined'
  const error = failed ? `exit code ${numberIn(item, 'exit_code') ?? 'unknown'}: ${errorText(output)}` : undefined
  const read =
    file_path === undefined ? { tool: 'Bash', input: { command } } : { tool: 'Read', input: { file_path, command } }
  return { ...read, raw: 'command_execution', output, error }
}

const READS_A_SKILL =
  /^\s*(?:cat|head|tail|less|more|nl|bat|sed\s+-n)\s[^;&|<>]*?(?:"([^"]*SKILL\.md)"|'([^']*SKILL\.md)'|([^\s"']*SKILL\.md))\s*$/

/** A command that names one file is no longer than this. */
const LONGEST_READ = 4096

/** The file of a skill that a command prints, and does nothing else. */
function skillRead(command: string): string | undefined {
  const [, ...places] = (command.length > LONGEST_READ ? undefined : READS_A_SKILL.exec(command)) ?? []
  return places.find(place => place !== undefined)
}

/** Each changed file as a call of its own: a new one is written, others are edited. */
function fileCalls(item: Event): readonly CodexCall[] {
  const changes = Array.isArray(item['changes']) ? item['changes'].filter(isMapping) : []
  const error = item['status'] === 'failed' ? 'the change was not made' : undefined
  return changes.map(({ path, kind }) => ({
    tool: kind === 'add' ? 'Write' : 'Edit',
    raw: 'file_change',
    input: { file_path: path, kind },
    error,
  }))
}

function mcpCall(item: Event): CodexCall {
  const { arguments: input, result, error, status } = item
  const [server = '', tool = ''] = ['server', 'tool'].map(key => textIn(item, key))
  const failed = status === 'failed' || isMapping(error)
  const said = isMapping(error) ? error['message'] : error
  return {
    tool: `mcp__${server}__${tool}`,
    raw: tool,
    input,
    output: result,
    error: failed ? errorText(said) : undefined,
  }
}
