import { assay } from '../../support/in-process.ts'
import type { Result } from '../../support/program.ts'
import { latestId, suiteFolder, wordTest } from '../../support/runs.ts'

export const REGRESSION = '--fail-on-regression'
export const NEW_FAILURES = '--fail-on-new-failures'

/** An agent in shell, rewritten between runs: it is asked in `$1`. */
export function agentFolder(suite: object, agent: string, files: Record<string, string> = {}): string {
  const targets = { targets: [{ name: 'agent', provider: 'cli', command: ['sh', 'agent.sh', '{PROMPT}'] }] }
  return suiteFolder({ execution: { target: 'agent' }, ...suite }, JSON.stringify(targets), {
    'agent.sh': agent,
    ...files,
  })
}

export async function runEval(cwd: string, ...args: string[]): Promise<string> {
  await assay(['eval', '--quiet', ...args], { cwd })
  return latestId(cwd)
}

export const compare = (cwd: string, ...args: string[]): Promise<Result> => assay(['compare', ...args], { cwd })
export const words = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => wordTest(`t${index + 10}`, `t${index + 10}`, 'yes', more))
/** The exit codes without a gate, with --fail-on-regression and with --fail-on-new-failures. */
export const gates = async (cwd: string, runs: readonly string[]) => {
  const codes = [REGRESSION, NEW_FAILURES].map(async gate => (await compare(cwd, ...runs, gate)).code)
  return Promise.all([compare(cwd, ...runs).then(({ code }) => code), ...codes])
}
