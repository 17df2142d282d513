import type { DiagnosticCode } from '../../diagnostics/codes.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Source } from './source.ts'
import type { Span } from './yaml-spans.ts'

/** A reason why a text cannot be read, with its span in the text. */
export interface YamlProblem {
  readonly code: DiagnosticCode
  readonly span: Span
  readonly message: string
  readonly hint?: string
}

/** Reports problems of a text that begins at offset `start` of a file. */
export function reportProblems(
  problems: readonly YamlProblem[],
  source: Source,
  start: number,
  diagnostics: Diagnostics,
): void {
  for (const { span, ...problem } of problems) {
    diagnostics.add({ ...problem, at: source.location(start + span.start, span.end - span.start) })
  }
}
