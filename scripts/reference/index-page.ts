import { CODES, type DiagnosticCode } from '../../src/diagnostics/codes.ts'
import type { Evaluator } from '../../src/model/evaluator.ts'

/** The table of contents of the reference. */
export function indexPage(evaluators: readonly Evaluator[], codes: readonly DiagnosticCode[]): string {
  return `${[
    '# Reference',
    'These pages are generated from the schemas by `npm run generate`.',
    '## Files',
    [
      '| File | Content |',
      '|---|---|',
      '| [EVAL.yaml](language.md) | A suite: tests and their checks |',
      '| [targets.yaml](targets.md) | The agents and models that answer and judge |',
      '| [config.yaml](config.md) | Defaults for command-line options |',
    ].join('\n'),
    '## Evaluators',
    [
      '| Type | Description |',
      '|---|---|',
      ...evaluators.map(({ type, summary }) => `| [${type}](evaluators/${type}.md) | ${summary} |`),
    ].join('\n'),
    '## Diagnostics',
    ['| Code | Severity | Meaning |', '|---|---|---|', ...codes.map(diagnosticRow)].join('\n'),
  ].join('\n\n')}\n`
}

function diagnosticRow(code: DiagnosticCode): string {
  return `| [${code}](diagnostics/${code}.md) | ${CODES[code].severity} | ${CODES[code].summary} |`
}
