import { dirname } from 'node:path/posix'
import type { MappingNode } from 'js-yaml'
import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { redactApiKeysIn } from '../lib/redaction/api-keys.ts'
import type { Answer } from '../model/answer.ts'
import type { ApiCall, ApiMessage } from '../model/messages/api-messages.ts'
import { callsIn, isOwn } from '../model/messages/subagents.ts'
import type { Log, Turn } from './log.ts'
import { loggedAnswer, suiteName, turnId, turnMessages } from './log-turn.ts'
import type { RunFile } from './run-file.ts'
import { nodeOf, yamlText } from './yaml-nodes.ts'

/** A log with its run files. */
export interface LogWithRuns {
  readonly log: Log
  /** Path of the log, for the suite. */
  readonly source: string
  readonly files: ReadonlyMap<number, RunFile>
}

type Fields = Record<string, unknown>

/** Returns the text of a suite with a test for each answered turn. Redacts API keys. */
export function suiteFromLogs(logs: readonly LogWithRuns[]): { readonly text: string; readonly tests: number } {
  const tests = logs.flatMap(each => each.log.turns.flatMap((turn, index) => testOf(each, turn, index) ?? []))
  const suite = { name: 'logs', version: '1.0', description: 'Made from logs.', tests }
  return { text: yamlText(nodeOf(suite) as MappingNode), tests: tests.length }
}

/** Undefined for a turn without answer and expectation: there is nothing to check. */
function testOf({ log, source, files }: LogWithRuns, turn: Turn, index: number): Fields | undefined {
  const file = turn.run === undefined ? undefined : files.get(turn.run)
  const messages = file?.messages && turnMessages(file.messages, log.turns.length)?.[index]
  const answer = loggedAnswer(turn, messages?.after)
  const expected = turn.expected || answer?.text || ''
  const assertions = [...calledTools(answer), ...saidText(expected, answer)]
  if (assertions.length === 0) return undefined
  const name = suiteName(log)
  return {
    id: turnId(log, index),
    criteria: 'Does what was done when this was logged.',
    conversation_id: name,
    ...redactApiKeysIn({
      input: inputOf(messages?.before ?? writtenBefore(log, index), file?.system_prompt),
      ...(expected === '' ? {} : { expected_output: expected }),
      assertions,
    }),
    metadata: {
      source: name === log.name ? source : dirname(source),
      turn: index + 1,
      ...(turn.run === undefined ? {} : { run: turn.run }),
    },
  }
}

/** A check for the tools that were called, in order. Those of subagents, which run at the same time, have no fixed order. */
function calledTools(answer: Answer | undefined): Fields[] {
  const calls = callsIn(answer?.output_messages ?? []).filter(isOwn)
  const expected = calls.map(({ tool, input }) => {
    const hasArguments = isMapping(input) && Object.keys(input).length > 0
    return { tool, ...(hasArguments ? { args: input } : {}) }
  })
  return expected.length > 0 ? [{ type: 'tool_trajectory', mode: 'in_order', expected }] : []
}

/** A check for the same text; by a judge if the expected text differs from the answer. */
function saidText(expected: string, answer: Answer | undefined): Fields[] {
  if (expected.trim() === '') return []
  return expected.trim() === answer?.text.trim() ? [{ type: 'equals', value: expected }] : [{ type: 'llm_judge' }]
}

/** The conversation before a turn, if there is no run file. */
function writtenBefore({ turns }: Log, index: number): ApiMessage[] {
  return turns
    .slice(0, index + 1)
    .flatMap(({ input, output }, place) => [
      { role: 'user', content: input },
      ...(place < index && output ? [{ role: 'assistant', content: output }] : []),
    ])
}

function inputOf(messages: readonly ApiMessage[], systemPrompt = ''): unknown {
  const readable = messages.flatMap(message => asTestMessage(message) ?? [])
  const hasSystem = systemPrompt === '' || readable.some(({ role }) => role === 'system')
  const input = hasSystem ? readable : [{ role: 'system', content: systemPrompt }, ...readable]
  const [only, ...others] = input
  return only?.role === 'user' && others.length === 0 ? only.content : input
}

/** Converts a message of the agent itself to the form of a suite; other programs add fields and roles. */
function asTestMessage({ role, content, tool_calls, tool_call_id, agent_id }: ApiMessage): ApiMessage | undefined {
  if (agent_id != null) return undefined
  const text = typeof content === 'string' ? content : content == null ? '' : JSON.stringify(content)
  switch (role) {
    case 'user':
    case 'system':
      return { role, content: text }
    case 'developer':
      return { role: 'system', content: text }
    case 'tool':
      return tool_call_id ? { role, content: text, tool_call_id } : undefined
    case 'assistant': {
      const calls = Array.isArray(tool_calls) ? tool_calls.flatMap(call => asTestCall(call) ?? []) : []
      if (text === '' && calls.length === 0) return undefined
      return { role, ...(text === '' ? {} : { content: text }), ...(calls.length === 0 ? {} : { tool_calls: calls }) }
    }
    default:
      return undefined
  }
}

function asTestCall(call: ApiCall): ApiCall | undefined {
  if (!isMapping(call)) return undefined
  const { id, function: called } = call
  if (!id || !called?.name) return undefined
  const { name, arguments: written } = called
  const json = typeof written === 'string' && parseJson(written) !== undefined ? written : JSON.stringify(written ?? {})
  return { id: String(id), type: 'function', function: { name: String(name), arguments: json } }
}
