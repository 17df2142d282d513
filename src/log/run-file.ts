import { type MappingNode, SCALAR_STYLE } from 'js-yaml'
import { parseJson } from '../lib/json/parse-json.ts'
import { asciiJsonLine } from '../lib/json/stringify.ts'
import { isMapping, isNestedWithin } from '../lib/objects.ts'
import { DEEPEST_RECORD } from '../model/answer-limits.ts'
import type { ApiMessage } from '../model/messages/api-messages.ts'
import type { LoggedRun } from './logged-run.ts'
import { floatNode, nodeOf, plainValue, readYaml, textNode, YamlError, yamlText } from './yaml-nodes.ts'

/** The file of one run. A comment in its first line names the recorded attempt, so that the keys are those of the format. */
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
  // The messages are ASCII, so a block needs no quoting.
  return `${attemptLine(attempt)}${head}messages: |\n${messagesText(messages).replace(/^(?=.)/gm, '  ')}`
}

const ATTEMPT = '# assay attempt '

/** How many bytes of a file of a run hold its attempt. */
export const ATTEMPT_BYTES = ATTEMPT.length + 64 + 1

function attemptLine(attempt: string | undefined): string {
  return attempt === undefined ? '' : `${ATTEMPT}${attempt}\n`
}

/** The attempt that the beginning of a run's file names; undefined where it names none. */
export function attemptIn(text: string): string | undefined {
  return /^# assay attempt ([\da-f]{64})\n/.exec(text)?.[1]
}

/** A JSON array with a message on each line. */
export function messagesText(messages: readonly unknown[]): string {
  const lines = messages.map(message => `  ${asciiJsonLine(message)}`)
  return `[\n${lines.join(',\n')}\n]\n`
}

/** What the file of a run says, as far as it can be read. */
export interface RunFile {
  readonly system_prompt?: string | undefined
  readonly model?: string | undefined
  /** Undefined where they cannot be read. */
  readonly messages: readonly ApiMessage[] | undefined
}

/** Reads the file of a run, ours or that of another program. Where it is no YAML, the messages are taken from its text. */
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
