import { assay } from '../../support/in-process.ts'
import type { Result } from '../../support/program.ts'

const NO_KEYS = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined }

/** Runs `assay targets` without the API keys of the machine. */
export function targets(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return assay(['targets', ...args], { cwd, env: { ...NO_KEYS, ...env } })
}
