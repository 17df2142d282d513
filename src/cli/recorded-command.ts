import type { CommandContext } from './command-context.ts'

/** The command as typed, for `run.json`, without passwords in URLs. */
export function recordedCommand({ argv }: Pick<CommandContext, 'argv'>): string[] {
  return ['assay', ...argv.map(withoutPassword)]
}

/** Up to the last `@`: a password that is not encoded may contain any character. */
function withoutPassword(word: string): string {
  return word.replace(/(:\/\/|^--queue=).*@/s, '$1[redacted]@')
}
