import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Host } from '../../src/model/host.ts'
import { planRun } from '../../src/operations/evaluate.ts'
import { recordRun } from '../../src/operations/run/record-run.ts'
import type { CompleteRequest } from '../../src/operations/run/run-request.ts'
import { providers } from '../../src/providers/index.ts'
import { must } from './fuzzer.ts'
import { Random } from './random.ts'
import { inFolder } from './work-folder.ts'

const SUITE = `name: each
execution: {trials: 2}
tests:
  - id: good
    criteria: Says yes
    input: "yes"
    assert: [{type: equals, value: "yes"}, {type: trigger_judge, skill: csv, should_trigger: false, weight: 0}]
  - id: middling
    criteria: Says both
    input: "yes"
    assert:
      - {type: contains, value: "yes", weight: 3}
      - {type: contains, value: maybe, weight: 2}
      - {type: contains, value: perhaps, required: true, weight: 4, applies_to: [other]}
  - id: bad
    criteria: Says yes
    input: "no"
    conversation_id: talk
    assert:
      - {type: contains, value: "yes", required: true}
      - {type: composite, name: both, evaluators: [{type: equals, value: "no"}], aggregator: {type: weighted_average}}
  - {id: elsewhere, criteria: Says yes, input: "yes", assert: [{type: equals, value: "yes", applies_to: [other]}]}
  - {id: broken, criteria: Says something, input: "Well?", assert: [{type: contains, value: "yes"}]}
`

const ANSWERS = [
  { pattern: '^yes', response: 'yes', cost_usd: 0.01, token_usage: { input: 3, output: 1 }, tool_calls: [] },
  { pattern: '^no$', response: 'no', tool_calls: [{ tool: 'Read', input: { path: 'x' }, output: 'y' }] },
]

const TARGETS = { targets: ['default', 'other'].map(name => ({ name, provider: 'mock', responses: ANSWERS })) }

/** Replaces the folder of the runs in their files. */
const FOLDER_MARK = '/the/place'

/** The files of a suite, of two runs of it, and of two shards, by path. */
export type RecordedRuns = Readonly<Record<string, Uint8Array>>

let known: Promise<RecordedRuns> | undefined

/** Deterministic, with a fixed clock and a seeded generator. */
export function recordedRuns(): Promise<RecordedRuns> {
  const text = (value: string) => new TextEncoder().encode(value)
  const suite = { 'EVAL.yaml': text(SUITE), '.assay/targets.yaml': text(JSON.stringify(TARGETS)) }
  known ??= inFolder(suite, async folder => {
    const host = deterministicHost(folder)
    await runOnce({ paths: [folder], targets: ['default', 'other'] }, folder, host)
    await runOnce({ paths: [folder], targets: ['default', 'other'] }, folder, host)
    await runOnce({ paths: [folder], shard: { index: 1, of: 2 } }, folder, host)
    await runOnce({ paths: [folder], shard: { index: 2, of: 2 } }, folder, host)
    return filesBelow(folder)
  })
  return known
}

/** Rewrites the content of a recorded file for this folder. */
export function relocated(folder: string, bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  return text.includes(FOLDER_MARK) ? Buffer.from(text.replaceAll(FOLDER_MARK, folder), 'latin1') : bytes
}

async function runOnce(request: CompleteRequest, folder: string, host: Host): Promise<void> {
  const prepared = await planRun(request, { host, evaluators, providers })
  const { plan, redactor } = prepared
  must(plan !== undefined, () => `the runs have no plan: ${JSON.stringify(prepared.diagnostics)}`)
  const settings_folder = join(folder, '.assay')
  const folders = { root: folder, settings_folder, runs_folder: join(settings_folder, 'runs') }
  await recordRun({ plan, redactor }, { request: { ...request, workers: 1 }, folders }, host)
}

function deterministicHost(folder: string): Host {
  const random = new Random('recorded runs')
  const still = { now: () => 1.7e12, timestamp: () => '2026-11-15T09:30:00.000Z', elapsed: () => 0 }
  const host = nodeHost(folder)
  return {
    ...host,
    clock: { ...host.clock, ...still },
    random: () => random.next(),
    node_version: 'v20.19.0',
    platform: 'linux',
  }
}

function filesBelow(folder: string): RecordedRuns {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const files = paths.map(entry => {
    const file = join(entry.parentPath, entry.name)
    const text = readFileSync(file, 'latin1').replaceAll(folder, FOLDER_MARK)
    return [file.slice(folder.length + 1), new Uint8Array(Buffer.from(text, 'latin1'))] as const
  })
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}
