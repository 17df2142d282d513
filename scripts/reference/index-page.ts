import { CODES, type DiagnosticCode } from '../../src/diagnostics/codes.ts'
import type { Evaluator } from '../../src/model/evaluator.ts'

/** The table of contents of the reference. */
export function indexPage(evaluators: readonly Evaluator[], codes: readonly DiagnosticCode[]): string {
  return `${[
    '# Reference',
    'Made from the schemas by `npm run generate`.',
    '- [EVAL.yaml](language.md)\n- [targets.yaml](targets.md)\n- [config.yaml](config.md)',
    '## Evaluators',
    [
      '| type | what it scores |',
      '|---|---|',
      ...evaluators.map(({ type, summary }) => `| [${type}](evaluators/${type}.md) | ${summary} |`),
    ].join('\n'),
    '## Diagnostics',
    ['| code | severity | what it means |', '|---|---|---|', ...codes.map(diagnosticRow)].join('\n'),
  ].join('\n\n')}\n`
}

function diagnosticRow(code: DiagnosticCode): string {
  return `| [${code}](diagnostics/${code}.md) | ${CODES[code].severity} | ${CODES[code].summary} |`
}
