import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { ExportedSpans } from '../../operations/otel/span-export.ts'

/** Reports how many spans a collector has. Lost ones are a warning: the records of the run are complete. */
export function exportText(
  exported: ExportedSpans,
  { quiet = false }: { readonly quiet?: boolean | undefined },
): string {
  const { url, run_id, sent, lost, rejected, problem, message } = exported
  const lines = [
    ...(sent > 0 && !quiet ? [`${plural(sent, 'span')} sent to ${url}`] : []),
    ...(rejected > 0
      ? [`warning: the collector rejected ${plural(rejected, 'span')}${message ? `: ${message}` : ''}`]
      : []),
    ...(rejected === 0 && message ? [`warning: the collector answered: ${message}`] : []),
    ...(lost > 0
      ? [
          `warning: ${plural(lost, 'span')} not sent to ${url}: ${problem}`,
          `The records are complete: \`assay report ${run_id} --format otel -o traces.jsonl\` writes all spans.`,
        ]
      : []),
  ]
  return lines.map(line => `${printableLine(line)}\n`).join('')
}
