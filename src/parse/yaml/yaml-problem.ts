import type { DiagnosticCode } from '../../diagnostics/codes.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Source } from './source.ts'
import type { Span } from './yaml-spans.ts'

/** What keeps a text from being read, with its place in the text. */
export interface YamlProblem {
  readonly code: DiagnosticCode
  readonly span: Span
  readonly message: string
  readonly hint?: string
}

/** Reports problems of a text that begins at an offset of a file. */
export function reportProblems(
  problems: readonly YamlProblem[],
  source: Source,
  start: number,
  mistakes: Diagnostics,
): void {
  for (const { span, ...problem } of problems) {
    mistakes.add({ ...problem, at: source.place(start + span.start, span.end - span.start) })
  }
}
