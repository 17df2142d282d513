import { withoutNullish } from '../../lib/objects.ts'
import type { Result } from '../../model/result.ts'
import type { OutputFiles } from './output-files.ts'

/** Counts of what an agent did. Unknown counts are left out instead of being 0. */
export function executionMetrics({ trace_summary, output_messages, changes }: Result, { characters }: OutputFiles) {
  return withoutNullish({
    tool_calls: trace_summary?.tool_calls_by_name,
    total_tool_calls: trace_summary?.event_count,
    total_steps: trace_summary?.llm_call_count,
    files_created: changes?.flatMap(({ path, state }) => (state === 'created' ? [path] : [])),
    errors_encountered: trace_summary?.error_count,
    output_chars: characters,
    transcript_chars: output_messages && JSON.stringify(output_messages).length,
  })
}
