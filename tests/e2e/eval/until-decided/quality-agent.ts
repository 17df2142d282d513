import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunInfo } from '../../../../src/model/run-info.ts'
import { folderWith, PROGRAM } from '../../../support/program.ts'

const ROOT = join(PROGRAM, '../..')

/**
 * An agent whose quality is a setting: it answers `good` with the probability `rate`, by a hash of its seed, the test
 * and the trial, so that the same attempt always comes to the same.
 */
const AGENT = `
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineProvider, NoAnswer } from ${JSON.stringify(join(ROOT, 'dist/index.js'))}
import { z } from ${JSON.stringify(join(ROOT, 'node_modules/zod/index.js'))}

const chance = text => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32

export default defineProvider({
  config: z.strictObject({ rate: z.number(), seed: z.number().default(1), errors: z.number().default(0), slow: z.number().default(0) }),
  answer: async ({ rate, seed, errors, slow }, { test_id, trial }) => {
    const key = [rate, seed, test_id, trial].join(' ')
    if (slow > 0) await sleep(slow * chance('slow ' + key))
    if (chance('error ' + key) < errors) throw new NoAnswer('target-error', 'crashed')
    return { text: chance(key) < rate ? 'good' : 'bad', cost_usd: 0.01 }
  },
})
`

export interface Quality {
  readonly rate: number
  readonly seed?: number
  readonly errors?: number
  readonly slow?: number
}

/** A folder with a suite of so many tests, and a target for each quality. */
export function qualityFolder(
  tests: number,
  targets: Readonly<Record<string, Quality>>,
  execution: object = {},
): string {
  const list = Array.from({ length: tests }, (_, index) => ({
    id: `t${index}`,
    criteria: 'Is good',
    input: 'Say good',
  }))
  const named = Object.entries(targets).map(([name, quality]) => ({ name, provider: './agent.mjs', ...quality }))
  return folderWith({
    'EVAL.yaml': JSON.stringify({
      name: 'quality',
      execution,
      assert: [{ type: 'equals', value: 'good' }],
      tests: list,
    }),
    '.assay/targets.yaml': JSON.stringify({ targets: named }),
    'agent.mjs': AGENT,
  })
}

/** The `run.json` of the only run of a folder, and the number of recorded attempts. */
export function onlyRun(folder: string): { readonly info: RunInfo; readonly recorded: number } {
  const runs = join(folder, '.assay/runs')
  const [run = ''] = readdirSync(runs).filter(name => /^\d{8}-/.test(name))
  const results = readFileSync(join(runs, run, 'results.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
  return { info: JSON.parse(readFileSync(join(runs, run, 'run.json'), 'utf8')), recorded: results.length }
}
