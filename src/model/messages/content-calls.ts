import { isMapping } from '../../lib/objects.ts'
import { contentText } from './content-text.ts'
import type { WrittenCall } from './written-answer.ts'

type Block = Readonly<Record<string, unknown>>

/** The result of a tool call. */
export interface CallResult {
  readonly output?: unknown
  readonly error?: string
}

/** A call in a block of a content, and its position: `[2]`, or empty for a content that is one block. */
export interface BlockCall {
  readonly call: WrittenCall
  readonly at: string
}

/** Readers of calls, by type of block. */
const CALLS: ReadonlyMap<unknown, (block: Block, name: string) => WrittenCall> = new Map([
  ...['tool_use', 'server_tool_use', 'mcp_tool_use'].map(type => [type, readToolUse] as const),
  ['function_call', readFunctionCall],
])

function readToolUse({ id, input }: Block, tool: string): WrittenCall {
  return { tool, id: textOf(id), input }
}

function readFunctionCall({ call_id, arguments: given }: Block, name: string): WrittenCall {
  return { function: { name, arguments: given }, id: textOf(call_id) }
}

/** The types of blocks that are calls. */
export const CALL_TYPES: readonly string[] = [...CALLS.keys()].map(String)

/** The calls in a content, in the blocks of the APIs of Anthropic and OpenAI. */
export function callsIn(content: unknown): BlockCall[] {
  return blocksOf(content).flatMap((block, index) => {
    const read = isMapping(block) && CALLS.get(block['type'])
    return read ? [{ call: read(block, textOf(block['name']) ?? ''), at: placeIn(content, index) }] : []
  })
}

/** The results of calls in a content, by call id. */
export function resultsIn(content: unknown): [id: string, result: CallResult][] {
  return blocksOf(content).flatMap(block => {
    const id = resultId(block)
    return id === undefined ? [] : [[id, resultOf(block as Block)] as [string, CallResult]]
  })
}

/** The content without calls and without results of known calls; undefined if nothing is left. */
export function contentBesideCalls(content: unknown, known: ReadonlySet<string>): unknown {
  const blocks = blocksOf(content)
  const rest = blocks.filter(block => !isCall(block) && !known.has(resultId(block) ?? ''))
  if (rest.length === blocks.length) return content
  return rest.length === 0 ? undefined : rest
}

/** The position of the first block that looks like a call in an unknown form. */
export function unknownCallIn(content: unknown): string | undefined {
  const index = blocksOf(content).findIndex(block => isMapping(block) && !isCall(block) && looksLikeCall(block))
  return index < 0 ? undefined : placeIn(content, index)
}

/** Whether a block is a call in another format, such as `{type: 'tool-call'}` or `{toolUse: {…}}`. */
function looksLikeCall(block: Block): boolean {
  const type = textOf(block['type']) ?? ''
  return (CALL_TYPE.test(type) && !/result|output|error/i.test(type)) || CALL_KEYS.some(key => isMapping(block[key]))
}

const CALL_TYPE = /^(?:dynamic-)?tool|(?:tool|function|mcp|search|computer|interpreter|shell|patch)[-_]?(?:call|use)$/i
const CALL_KEYS = ['functionCall', 'function_call', 'toolUse', 'tool_use', 'toolCall', 'tool_call', 'toolInvocation']

function placeIn(content: unknown, index: number): string {
  return Array.isArray(content) ? `[${index}]` : ''
}

function blocksOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return isMapping(content) ? [content] : []
}

function isCall(block: unknown): boolean {
  return isMapping(block) && CALLS.has(block['type'])
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function resultId(block: unknown): string | undefined {
  if (!isMapping(block)) return undefined
  const id = block['type'] === 'function_call_output' ? block['call_id'] : block['tool_use_id']
  return textOf(id)
}

function resultOf({ type, output, content, is_error }: Block): CallResult {
  if (type === 'function_call_output') return { output }
  return {
    output: content,
    ...(is_error === true ? { error: contentText(content ?? '') || 'an error without a message' } : {}),
  }
}
