import { isMapping } from '../../../lib/objects.ts'
import { type Event, errorText, numberField, stringField } from './agent-events.ts'

/** A tool call and its result so far. */
export interface CodexCall {
  readonly tool: string
  readonly raw: string
  readonly input: unknown
  readonly output?: unknown
  readonly error?: string | undefined
}

/** Converts an item of Codex to tool calls under shared names. Returns undefined if it is not a call. */
export function toToolCalls(item: Event): readonly CodexCall[] | undefined {
  return KINDS.get(item['type'])?.(item)
}

const KINDS = new Map<unknown, (item: Event) => readonly CodexCall[]>([
  ['command_execution', item => [commandCall(item)]],
  ['file_change', fileCalls],
  ['mcp_tool_call', item => [mcpCall(item)]],
  ['web_search', ({ query }) => [{ tool: 'WebSearch', raw: 'web_search', input: { query } }]],
])

/** A shell command, or a `Read` if it only prints a SKILL.md: that is how Codex uses a skill. */
function commandCall(item: Event): CodexCall {
  const command = unwrapShellCommand(stringField(item, 'command') ?? '')
  const file_path = skillFileRead(command)
  const output = item['aggregated_output']
  const failed = item['status'] === 'failed' || item['status'] === 'declined'
  const error = failed ? `exit code ${numberField(item, 'exit_code') ?? 'unknown'}: ${errorText(output)}` : undefined
  const read =
    file_path === undefined ? { tool: 'Bash', input: { command } } : { tool: 'Read', input: { file_path, command } }
  return { ...read, raw: 'command_execution', output, error }
}

const READS_A_SKILL =
  /^\s*(?:cat|head|tail|less|more|nl|bat|sed\s+-n)\s[^;&|<>]*?(?:"([^"]*SKILL\.md)"|'([^']*SKILL\.md)'|([^\s"']*SKILL\.md))\s*$/

/** Longer commands are not matched: they do more than print a file. */
const MAX_READ_LENGTH = 4096

/** The SKILL.md that a command prints, if it does nothing else. */
function skillFileRead(command: string): string | undefined {
  const [, ...places] = (command.length > MAX_READ_LENGTH ? undefined : READS_A_SKILL.exec(command)) ?? []
  return places.find(place => place !== undefined)
}

/** One call per changed file: `Write` for a new file, otherwise `Edit`. */
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
  const [server = '', tool = ''] = ['server', 'tool'].map(key => stringField(item, key))
  const failed = status === 'failed' || isMapping(error)
  const said = isMapping(error) ? error['message'] : (error ?? resultText(result))
  return {
    tool: `mcp__${server}__${tool}`,
    raw: tool,
    input,
    output: result,
    error: failed ? errorText(said) : undefined,
  }
}

/** The text of a result, which a failed call has instead of an error. */
function resultText(result: unknown): unknown {
  const { content } = isMapping(result) ? result : {}
  const texts = Array.isArray(content) ? content.filter(isMapping).flatMap(({ text }) => text ?? []) : []
  return texts.length > 0 ? texts.join('\n') : result
}

/** Extracts the command from a line such as `/bin/bash -lc 'cat a.txt'`. Returns any other line unchanged. */
export function unwrapShellCommand(line: string): string {
  const [program = '', flags = ''] = line.split(' ', 2)
  const isShell = SHELL.test(program.slice(program.lastIndexOf('/') + 1)) && !/\s/.test(program)
  if (!isShell || (flags !== '-c' && flags !== '-lc')) return line
  return parseShellWord(line.slice(program.length + flags.length + 2)) ?? line
}

const SHELL = /^(?:ba|z|da|k)?sh$/

/**
 * Parses a shell word of quoted and plain parts. Returns undefined if the text is not one word. Quotes are searched, not
 * matched: a pattern can run out of stack in a command of megabytes.
 */
function parseShellWord(text: string): string | undefined {
  let word = ''
  let at = 0
  while (at < text.length) {
    const end = endOfPart(text, at)
    if (end === undefined) return undefined
    word += partText(text.slice(at, end))
    at = end
  }
  return text === '' ? undefined : word
}

/** Returns the offset after the part that begins at one; undefined for a blank, or a part that is not closed. */
function endOfPart(text: string, at: number): number | undefined {
  const first = text[at] ?? ''
  if (/\s/.test(first)) return undefined
  const end = first === '\\' ? at + 2 : first === "'" ? text.indexOf(first, at + 1) + 1 : undefined
  if (end !== undefined) return end === 0 || end > text.length ? undefined : end
  return first === '"' ? endOfDoubleQuotes(text, at + 1) : nextSpecial(text, at)
}

function endOfDoubleQuotes(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') return at + 1
    if (text[at] === '\\') at++
  }
  return undefined
}

function nextSpecial(text: string, from: number): number {
  const special = /[\s'"\\]/g
  special.lastIndex = from
  return special.exec(text)?.index ?? text.length
}

function partText(part: string): string {
  const [first] = part
  if (first === "'") return part.slice(1, -1)
  if (first === '"') return part.slice(1, -1).replace(/\\([$`"\\])/g, '$1')
  return first === '\\' ? part.slice(1) : part
}
