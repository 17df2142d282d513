import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assay } from './in-process.ts'
import { type Result as Ended, folderWith } from './program.ts'
import { type Recorded, resultsIn } from './suite-run.ts'

/** A folder with targets and one suite whose tests expect `ok` in the answer by default. */
export function evalFolder(
  tests: readonly object[],
  targets: readonly object[],
  more: Record<string, string> = {},
): string {
  return folderWith({
    'EVAL.yaml': suiteWith(tests),
    '.assay/targets.yaml': JSON.stringify({ targets }),
    ...more,
  })
}

export function suiteWith(tests: readonly object[], keys: object = {}): string {
  const full = tests.map(test => ({ criteria: 'Says ok', assert: [{ type: 'contains', value: 'ok' }], ...test }))
  return JSON.stringify({ name: 'suite', ...keys, tests: full })
}

export interface Evaluated extends Ended {
  /** The results of the run by test id; later trials and targets replace earlier ones. */
  readonly results: ReadonlyMap<string, Recorded>
  readonly all: readonly Recorded[]
}

/** Runs `assay eval` and reads its records. */
export async function evaluate(
  cwd: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Evaluated> {
  const ended = await assay(['eval', ...args], { cwd, env })
  const all = existsSync(join(cwd, '.assay/runs/latest')) ? resultsIn(cwd).sort((a, b) => a.index - b.index) : []
  return { ...ended, all, results: new Map(all.map(result => [result.test_id, result])) }
}
