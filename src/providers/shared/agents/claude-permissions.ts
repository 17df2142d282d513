import { isMapping } from '../../../lib/objects.ts'
import type { OutputMessage, ToolCall } from '../../../model/answer.ts'
import { type Event, errorText, stringField } from './agent-events.ts'
import type { AgentTranscript } from './agent-transcript.ts'

const DENIED = 'permission denied'

/** Marks the calls that Claude Code had no permission for. Their results may look like any other failure, or never arrive. */
export class ClaudePermissions {
  readonly #transcript: AgentTranscript
  /** Denials of calls that are not known yet, by agent. */
  readonly #early = new Map<OutputMessage['agent_id'], Map<unknown, string>>()

  constructor(transcript: AgentTranscript) {
    this.#transcript = transcript
  }

  /** Reads an event of subtype `permission_denied`. */
  deny({ tool_use_id: id, message }: Event, caller: OutputMessage['agent_id']): void {
    const error = `${DENIED}: ${errorText(message)}`
    const call = this.#transcript.findCall(id, caller)
    if (call) call.error = error
    else this.#early.set(caller, (this.#early.get(caller) ?? new Map()).set(id, error))
  }

  /** Marks a call that has begun if it was denied before. */
  begun(id: unknown, caller: OutputMessage['agent_id']): void {
    const error = this.#early.get(caller)?.get(id)
    if (error === undefined) return
    this.#early.get(caller)?.delete(id)
    const call = this.#transcript.findCall(id, caller)
    if (call) call.error = error
  }

  /** Marks the calls in `permission_denials` of a result. Versions before 2.1.325 report denials only there. */
  list(denials: unknown): void {
    if (!Array.isArray(denials)) return
    for (const { tool_use_id: id } of denials.filter(isMapping)) {
      const call = this.#transcript.findCall(id, undefined)
      if (call && !isDenied(call)) call.error = call.error === undefined ? DENIED : `${DENIED}: ${call.error}`
    }
  }
}

function isDenied({ error }: ToolCall): boolean {
  return error?.startsWith(DENIED) === true
}

/** Explains why a call was not executed, from `tool_result_meta` of its result. */
export function nonExecution(result_meta: unknown, { tool_use_id: id, content }: Event): string | undefined {
  if (!Array.isArray(result_meta)) return undefined
  const meta = result_meta.filter(isMapping).find(each => each['id'] === id)
  if (!meta) return undefined
  const { permission_decision: permission } = meta
  if (isMapping(permission) && permission['decision'] === 'reject') return `${DENIED}: ${errorText(content)}`
  const kind = stringField(meta, 'non_execution_kind')
  return kind === undefined ? undefined : `not executed: ${kind}`
}
