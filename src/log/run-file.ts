import { type MappingNode, SCALAR_STYLE } from 'js-yaml'
import { parseJson } from '../lib/json/parse-json.ts'
import { asciiJsonLine } from '../lib/json/stringify.ts'
import { isMapping, isNestedWithin } from '../lib/objects.ts'
import { DEEPEST_RECORD } from '../model/answer-limits.ts'
import type { ApiMessage } from '../model/messages/api-messages.ts'
import type { LoggedRun } from './logged-run.ts'
import { floatNode, nodeOf, plainValue, readYaml, textNode, YamlError, yamlText } from './yaml-nodes.ts'

/** Returns the text of a run file. A comment in the first line identifies the attempt: the format has no key for it. */
export function runFileText(run: LoggedRun): string {
  const { attempt, system_prompt, model, cwd, tokens, cost, duration_ms, timestamp, messages } = run
  const quoted = (text: string) => textNode(text, SCALAR_STYLE.DOUBLE_QUOTED)
  const fields = Object.entries({
    system_prompt: quoted(system_prompt),
    model: quoted(model),
    cwd: quoted(cwd),
    tokens: nodeOf(tokens),
    cost: floatNode(cost),
    duration_ms: nodeOf(duration_ms),
    timestamp: quoted(timestamp),
  })
  const root = nodeOf({}) as MappingNode
  const head = yamlText({ ...root, items: fields.map(([key, value]) => ({ key: nodeOf(key), value })) })
  // The messages are ASCII, so the block needs no quotes.
  return `${attemptLine(attempt)}${head}messages: |\n${messagesText(messages).replace(/^(?=.)/gm, '  ')}`
}

const ATTEMPT = '# assay attempt '

/** Size of the first line with the attempt. */
export const ATTEMPT_BYTES = ATTEMPT.length + 64 + 1

function attemptLine(attempt: string | undefined): string {
  return attempt === undefined ? '' : `${ATTEMPT}${attempt}\n`
}

/** Returns the attempt in the first line of a run file; undefined if missing. */
export function attemptIn(text: string): string | undefined {
  return /^# assay attempt ([\da-f]{64})\n/.exec(text)?.[1]
}

/** Formats messages as a JSON array, one per line. Those of subagents are indented. */
export function messagesText(messages: readonly ApiMessage[]): string {
  const lines = messages.map(message => `${message.agent_id == null ? '  ' : '      '}${asciiJsonLine(message)}`)
  return `[\n${lines.join(',\n')}\n]\n`
}

/** The readable content of a run file. */
export interface RunFile {
  readonly system_prompt?: string | undefined
  readonly model?: string | undefined
  /** Undefined if they cannot be read. */
  readonly messages: readonly ApiMessage[] | undefined
}

/** Reads a run file, also of other programs. If it is not valid YAML, finds the messages in the text. */
export function readRunFile(text: string): RunFile {
  const fields = fieldsOf(text)
  const field = (key: string) => (typeof fields?.[key] === 'string' ? fields[key] : undefined)
  const json = field('messages') ?? (fields ? undefined : textBehindMessages(text))
  return {
    system_prompt: field('system_prompt'),
    model: field('model'),
    messages: messagesIn(json === undefined ? fields?.['messages'] : parseJson(json)),
  }
}

function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const written = plainValue(readYaml(text))
    return isMapping(written) ? written : undefined
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return undefined
  }
}

function textBehindMessages(text: string): string | undefined {
  const start = /^messages:/m.exec(text)?.index
  return start === undefined ? undefined : /\[[\s\S]*\]/.exec(text.slice(start))?.[0]
}

function messagesIn(json: unknown): ApiMessage[] | undefined {
  if (!Array.isArray(json) || !isNestedWithin(json, DEEPEST_RECORD)) return undefined
  if (!json.every(each => isMapping(each) && typeof each['role'] === 'string')) return undefined
  return json as ApiMessage[]
}
