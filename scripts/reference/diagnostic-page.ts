import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CODES, type DiagnosticCode } from '../../src/diagnostics/codes.ts'

const CORPUS = join(import.meta.dirname, '../../tests/corpus/invalid')

/** The reference page of one code, with a real example from the corpus. */
export function diagnosticPage(code: DiagnosticCode): string {
  const { severity, kind, summary, fix } = CODES[code]
  const reportedBy =
    kind === 'shape'
      ? 'Reported by Assay, and by editors that use the JSON Schema.'
      : 'Reported by Assay only: the JSON Schema cannot express it.'
  return `${[
    `# ${code}`,
    `**${severity === 'error' ? 'Error' : 'Warning'}.** ${summary}`,
    reportedBy,
    '## How to fix',
    fix,
    '## Example',
    `\`\`\`text\n${exampleOf(code)}\n\`\`\``,
  ].join('\n\n')}\n`
}

/** Returns the shortest golden diagnostic with this code. */
function exampleOf(code: DiagnosticCode): string {
  const found = goldenDiagnostics()
    .filter(text => (text.split('\n')[0] ?? '').endsWith(` ${code}`))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return found[0] ?? ''
}

let golden: string[] | undefined

function goldenDiagnostics(): string[] {
  golden ??= readdirSync(CORPUS)
    .sort()
    .flatMap(name =>
      readFileSync(join(CORPUS, name, 'diagnostics.txt'), 'utf8')
        .trimEnd()
        .split('\n\n'),
    )
  return golden
}
