import { deepEqual, isNestedWithin } from '../lib/objects.ts'
import { DEEPEST_ANSWER } from '../model/answer-limits.ts'
import type { MockRecording, MockServer, MockTool } from '../model/mock.ts'
import type { MockCall } from '../model/mock-call.ts'
import { unexpectedArgument } from './expectation.ts'
import { asText, renderValue, ToolError } from './render.ts'
import { changeState, type StateChange } from './state.ts'

/** Describes what a JSON Schema does not allow; empty if it allows the value. */
export type ValidateInput = (schema: Readonly<Record<string, unknown>>, input: unknown) => readonly string[]

/** A call of a tool. */
export interface ToolRequest {
  readonly server: string
  readonly tool: string
  readonly input: unknown
}

/** An answered call: a line of the journal. */
export interface JournalEntry extends MockCall {
  readonly changes?: readonly StateChange[]
}

/** Answers a call of a mocked tool. Neither a rejected call nor a tool error changes the state. */
export function answerCall(
  request: ToolRequest,
  { tools, files }: MockServer,
  state: Readonly<Record<string, unknown>>,
  validate: ValidateInput,
): JournalEntry {
  const tool = Object.hasOwn(tools, request.tool) ? tools[request.tool] : undefined
  const problem = tool ? inputProblem(tool, request.input, validate) : NOT_MOCKED
  // What is nested deeper cannot be in a record.
  const { input, ...named } = request
  const call = isNestedWithin(input, DEEPEST_ANSWER) ? { ...named, input } : named
  if (!tool || problem !== undefined) return { ...call, error: problem ?? '', rejected: true }
  try {
    return { ...call, ...outcomeOf(tool, { state, input, files }) }
  } catch (error) {
    if (error instanceof ToolError) return { ...call, error: error.message }
    throw error
  }
}

function inputProblem(tool: MockTool, input: unknown, validate: ValidateInput): string | undefined {
  if (!isNestedWithin(input, DEEPEST_ANSWER)) return `the arguments are nested more than ${DEEPEST_ANSWER} levels deep`
  const isRecorded = recordingOf(tool, input) !== undefined
  // The real server has answered a recorded call, whatever its list of tools says.
  const [problem] = isRecorded ? [] : validate(tool.input_schema, input)
  if (problem !== undefined) return problem
  const unexpected = tool.expect && unexpectedArgument(tool.expect, input)
  if (unexpected !== undefined || !tool.only_recordings || isRecorded) return unexpected
  return tool.recordings ? 'there is no recording of a call with these arguments' : NOT_MOCKED
}

/** Why a call to a tool without a mock is rejected. */
export const NOT_MOCKED = 'the tool is not mocked'

/** The recorded call with these arguments. */
export function recordingOf({ recordings = [] }: MockTool, input: unknown): MockRecording | undefined {
  return recordings.find(recording => deepEqual(recording.input, input))
}

function outcomeOf(
  tool: MockTool,
  scope: {
    readonly state: Readonly<Record<string, unknown>>
    readonly input: unknown
    readonly files: MockServer['files']
  },
): Pick<JournalEntry, 'output' | 'error' | 'changes'> {
  const { error, set, returns } = tool
  const recording = recordingOf(tool, scope.input)
  if (recording) return recording.is_error ? { error: asText(recording.output) } : { output: recording.output }
  if (error !== undefined) return { error: asText(renderValue(error, scope)) }
  const changed = set && changeState(set, scope)
  // What a call returns may refer to what it has set.
  const output = renderValue(returns, { ...scope, state: changed?.state ?? scope.state })
  asText(output)
  return { ...(output === undefined ? {} : { output }), ...(changed ? { changes: changed.changes } : {}) }
}
