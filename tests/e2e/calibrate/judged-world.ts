import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { type Label, labelledAnswer } from '../../../src/model/label.ts'
import type { Result } from '../../../src/model/result.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { recordsOf } from '../../support/runs.ts'
import { model } from '../../support/servers/model-servers.ts'
import { type Server, serve } from '../../support/servers/server.ts'

/** Answers of known quality, and a judge of known sensitivity and specificity. */
export interface World {
  readonly answers?: number
  readonly pass_rate?: number
  readonly sensitivity?: number
  readonly specificity?: number
  readonly seed?: number
  readonly targets?: readonly string[]
  /** A second judge for every other test. */
  readonly judges?: readonly string[]
  /** The share of calls in which the judge says something else than it did for the same answer before. */
  readonly flips?: number
}

const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

export interface WorldFolder {
  readonly cwd: string
  readonly server: Server
}

/** A folder with a suite whose answers say themselves whether they are right, and a server that judges them. */
export async function worldFolder(world: World = {}): Promise<WorldFolder> {
  const { answers = 60, pass_rate = 0.7, seed = 1, targets = ['default'], judges = ['grader'] } = world
  const random = seededRandom(seed)
  const tests = Array.from({ length: answers }, (_, index) => {
    const [quality, draw] = [random() < pass_rate ? 'right' : 'wrong', random()]
    return {
      id: `t${index}`,
      criteria: 'Is right',
      input: `q${index} ${quality} ${draw.toFixed(6)}`,
      assert: [{ type: 'llm_judge', target: judges[index % judges.length] }],
    }
  })
  const server = await serveJudge(world)
  const mock = {
    provider: 'mock',
    responses: ['right', 'wrong'].map(word => ({ pattern: word, response: `It is ${word}.` })),
  }
  const judgeOf = (name: string) => ({
    ...{ name, provider: 'openai_compatible', model: 'judge-1', base_url: `${server.url}/${name}`, api_key: 'none' },
    ...{ retries: 0, workers: 32 },
  })
  const cwd = folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'world', tests }),
    '.assay/targets.yaml': JSON.stringify({
      targets: [...targets.map(name => ({ name, ...mock })), ...judges.map(judgeOf)],
    }),
  })
  return { cwd, server }
}

/** Runs the suite of a world. */
export async function evalWorld({ cwd }: WorldFolder, args: readonly string[] = []): Promise<Result[]> {
  const { code, stderr } = await assay(['eval', '--quiet', ...args], { cwd })
  if (code === 2 || code === 3) throw new Error(stderr)
  return recordsOf(cwd)
}

/** A model that passes what is right with the sensitivity of the world, and fails what is wrong with its specificity. */
async function serveJudge({ sensitivity = 0.9, specificity = 0.8, flips = 0, seed = 1 }: World): Promise<Server> {
  const random = seededRandom(seed + 1)
  const server = await serve((call, response) => {
    const [, quality, draw = ''] = /q\d+ (right|wrong) (0\.\d+)/.exec(call.body) ?? []
    const isUsual = random() >= flips
    const passes = quality === 'right' ? Number(draw) < sensitivity : Number(draw) >= specificity
    const score = passes === isUsual ? 1 : 0
    return model('openai_compatible', { text: JSON.stringify({ score, reasoning: 'looked' }) })(call, response)
  })
  servers.push(server)
  return server
}

/** Whether an answer is right. */
export function isRight({ answer }: Result): boolean {
  return answer === 'It is right.'
}

interface Labelling {
  readonly by?: string
  readonly at?: string
  /** What the person says; by default the truth. */
  readonly label?: ((result: Result) => Label['label']) | undefined
}

/** The label of an answer by a person. */
export function labelOf(result: Result, { by = 'ann', at = '2026-11-17T10:00:00.000Z', label }: Labelling = {}): Label {
  const about = labelledAnswer(result)
  if (!about) throw new Error('no answer')
  return {
    attempt_id: result.attempt_id,
    ...about,
    label: label?.(result) ?? (isRight(result) ? 'pass' : 'fail'),
    by,
    at,
  }
}

/** Draws as many answers that the judge passes as it fails. */
export function drawByVerdict(results: readonly Result[], count: number, seed = 3): Result[] {
  const random = seededRandom(seed)
  const shuffled = results.map(result => ({ result, at: random() })).sort((one, other) => one.at - other.at)
  const drawn = (passes: boolean) =>
    shuffled.filter(({ result }) => (result.verdict === 'pass') === passes).slice(0, count / 2)
  return [...drawn(true), ...drawn(false)].map(({ result }) => result)
}

export const LABELS = '.assay/labels/world.jsonl'

/** Replaces the labels of the world. */
export function writeLabels(cwd: string, labels: readonly object[], file = LABELS): void {
  writeText(cwd, labels.map(label => `${JSON.stringify(label)}\n`).join(''), file)
}

export function writeText(cwd: string, text: string, file = LABELS): void {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), text)
}

/** Changes a file of a world. */
export function edit(cwd: string, file: string, change: (text: string) => string): void {
  writeFileSync(join(cwd, file), change(readFileSync(join(cwd, file), 'utf8')))
}
