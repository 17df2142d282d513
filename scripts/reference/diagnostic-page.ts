import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CODES, type DiagnosticCode } from '../../src/diagnostics/codes.ts'

const CORPUS = join(import.meta.dirname, '../../tests/corpus/invalid')

/** The reference page of one code, with an example from the golden diagnostics. */
export function diagnosticPage(code: DiagnosticCode, golden: readonly string[]): string {
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
    `\`\`\`text\n${exampleOf(code, golden)}\n\`\`\``,
  ].join('\n\n')}\n`
}

/** Returns the shortest golden diagnostic with this code. */
function exampleOf(code: DiagnosticCode, golden: readonly string[]): string {
  const [example] = golden
    .filter(text => (text.split('\n')[0] ?? '').endsWith(` ${code}`))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  if (example === undefined) throw new Error(`no case in tests/corpus/invalid shows ${code}`)
  return example
}

/** Reads the golden diagnostics of all invalid cases in the corpus. */
export function goldenDiagnostics(corpus = CORPUS): string[] {
  return readdirSync(corpus)
    .sort()
    .flatMap(name => {
      const file = join(corpus, name, 'diagnostics.txt')
      if (!existsSync(file))
        throw new Error(
          `tests/corpus/invalid/${name} has no diagnostics.txt: run \`npx vitest run tests/conformance -u\``,
        )
      return readFileSync(file, 'utf8').trimEnd().split('\n\n')
    })
}
