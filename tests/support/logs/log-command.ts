import { assay } from '../in-process.ts'
import type { Result } from '../program.ts'

/** Runs `assay log` on a folder of logs, in this process. */
export function logCommand(logDir: string, ...args: readonly string[]): Promise<Result> {
  return assay(['log', ...args, '--log-dir', logDir], { cwd: process.cwd() })
}
