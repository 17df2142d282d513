import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Label, labelledAnswer } from '../../src/model/label.ts'
import { assay } from './in-process.ts'
import { folderWith, type Result } from './program.ts'
import { recordsOf } from './runs.ts'
import { model } from './servers/model-servers.ts'
import { type Call, type Server, serve } from './servers/server.ts'

/** The prompt with which the judge passes every answer. */
export const PROMPT = 'Is the answer right?\n\nQuestion: {{question}}\nAnswer: {{answer}}\n'

/** With it, the judge fails rude answers, as people do. */
export const GOOD = 'Is the answer right and courteous?\n\nQuestion: {{question}}\nAnswer: {{answer}}\n'

/** It fails answers to these questions, and no others. */
export const rejecting = (topics: readonly string[]) =>
  `Is the answer right? Reject: ${topics.join(' ')}. Question: {{question}} Answer: {{answer}}`

export interface AligningOptions {
  readonly tests?: number
  /** Fields of the check. Default: the prompt file `judge.md`. */
  readonly check?: object
  /** The reply of the proposer to what it is asked. */
  readonly proposes: (asked: string) => string
  /** Which answers people fail. Default: every other one, which is rude. */
  readonly isBad?: (index: number) => boolean
  readonly usage?: { input: number; output: number }
  /** Number of the judge call, from 1, and its prompt: whether it fails. */
  readonly fails?: (asked: string) => boolean
  readonly labels?: (index: number) => Partial<Label> | undefined
  /** Names of agents on loopback, whose answers differ from each other and from trial to trial. Default: one that does not. */
  readonly agents?: readonly string[]
  /** What an agent adds to its answer. */
  readonly adds?: (nth: number) => string
  /** Dollars that an answer of an agent costs. */
  readonly answer_usd?: number
  readonly judges?: readonly string[]
  /** The `judge_target` of agents. */
  readonly judge_targets?: Readonly<Record<string, string>>
  /** Further options of `assay eval`. */
  readonly run?: readonly string[]
  /** Further fields of the suite. */
  readonly suite?: object
  /** Called before each reply of the judges and the proposer. */
  readonly waits?: (asked: string) => Promise<void> | undefined
}

export interface AligningProject {
  readonly folder: string
  align(...args: string[]): Promise<Result>
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of the command
  aligned(...args: string[]): Promise<Result & { readonly data: any }>
  readonly server: Server
  /** What the proposer and the judge were asked since the run, in order. */
  asked(by: 'proposer' | 'judge'): string[]
  readonly prompt: string
}

const servers: Server[] = []
afterAll(() => Promise.all(servers.map(server => server.close())))

const isProposal = (body: string) => body.includes('You write instructions for a model')

function judgementOf(asked: string): string {
  const isRude = asked.includes('a rude reply')
  const rejected = /Reject: ([^.]*)\./.exec(asked)?.[1]?.split(' ') ?? []
  const isRejected = rejected.some(topic => topic !== '' && asked.includes(`about ${topic}?`))
  const isBad = isRejected || (asked.includes('courteous') && isRude)
  const score = isBad ? 0 : 1
  if (!asked.includes('\\"items\\"') && !asked.includes('satisfied'))
    return JSON.stringify({ score, hits: [], misses: [], reasoning: 'because' })
  const ids = [...asked.matchAll(/rule-\d+/g)].map(([id]) => id)
  const items = [...new Set(ids)].map(id => ({ id, satisfied: !isBad, reasoning: 'because' }))
  return JSON.stringify({ items })
}

/** An answer of an agent on loopback, which differs from all others. */
function answerOf(call: Call, nth: number, { adds, answer_usd }: AligningOptions) {
  const word = call.body.includes('rude question') ? 'rude' : 'kind'
  const text = `This is a ${word} reply, number ${nth}.${adds?.(nth) ?? ''}`
  return { text, ...(answer_usd === undefined ? {} : { usage: { input: 0, output: answer_usd * 1e6 } }) }
}

/** A target on loopback. */
function modelTarget(name: string, server: Server, isPriced: boolean) {
  return {
    ...{ name, provider: 'openai_compatible', base_url: `${server.url}/${name}`, model: 'm', api_key: 'k' },
    ...{ retries: 0, ...(isPriced ? { price: { input: 1, output: 1 } } : {}) },
  }
}

/** A project with a run, labels of its answers, a judge and a proposer on loopback. */
export async function aligningProject(options: AligningOptions): Promise<AligningProject> {
  const {
    tests = 40,
    proposes,
    check = { prompt: 'judge.md' },
    isBad = index => index % 2 === 0,
    usage,
    fails,
    agents = [],
    judges = ['judge'],
  } = options
  let answers = 0
  const server = await serve(async (call, response) => {
    const agent = agents.find(name => call.path.startsWith(`/${name}/`))
    if (agent !== undefined) return model('openai_compatible', answerOf(call, answers++, options))(call, response)
    await options.waits?.(call.body)
    if (!isProposal(call.body) && fails?.(call.body)) {
      response.statusCode = 500
      return response.end('{}')
    }
    const text = isProposal(call.body) ? proposes(call.body) : judgementOf(call.body)
    return model('openai_compatible', { text, ...(usage ? { usage } : {}) })(call, response)
  })
  servers.push(server)
  const suite = {
    name: 'manners',
    ...options.suite,
    tests: Array.from({ length: tests }, (_, index) => ({
      id: `t${index}`,
      input: `${isBad(index) ? 'rude' : 'kind'} question about topic${index}x?`,
      assert: [{ type: 'llm_judge', name: 'quality', ...check }],
    })),
  }
  const folder = folderWith({
    'EVAL.yaml': JSON.stringify(suite),
    'judge.md': PROMPT,
    '.assay/targets.yaml': JSON.stringify({
      targets: [
        {
          name: 'agent',
          provider: 'mock',
          responses: ['rude', 'kind'].map(word => ({ pattern: word, response: `This is a ${word} reply.` })),
        },
        ...agents.map(name => ({
          ...modelTarget(name, server, options.answer_usd !== undefined),
          judge_target: options.judge_targets?.[name],
        })),
        ...judges.map(name => modelTarget(name, server, usage !== undefined)),
      ],
    }),
  })
  const names = agents.length > 0 ? agents : ['agent']
  const chosen = names.flatMap(name => ['--target', name])
  const run = await assay(['eval', '--quiet', ...chosen, ...(options.run ?? [])], { cwd: folder })
  if (run.code === null || run.code > 1) throw new Error(run.stderr)
  writeLabels(folder, options)
  const before = server.calls.length
  const align = (...args: string[]) => assay(['calibrate', '--align', ...args], { cwd: folder })
  return {
    folder,
    align,
    aligned: async (...args) => {
      const ended = await align('--json', ...args)
      return { ...ended, data: ended.stdout === '' ? undefined : JSON.parse(ended.stdout) }
    },
    server,
    asked: by =>
      server.calls
        .slice(before)
        .map(({ body }) => body)
        .filter(body => isProposal(body) === (by === 'proposer')),
    prompt: join(folder, 'judge.md'),
  }
}

function writeLabels(folder: string, { labels, isBad = index => index % 2 === 0 }: AligningOptions): void {
  const lines = recordsOf(folder).flatMap((result, nth): Label[] => {
    const index = Number(result.test_id.slice(1))
    const answer = labelledAnswer(result)
    const own = labels ? labels(index) : {}
    if (!answer || !own) return []
    const label = isBad(index) ? 'fail' : 'pass'
    const at = new Date(1e12 + nth).toISOString()
    return [{ attempt_id: result.attempt_id, ...answer, label, by: 'ann', at, note: `note ${index}.`, ...own }]
  })
  mkdirSync(join(folder, '.assay/labels'), { recursive: true })
  writeFileSync(join(folder, '.assay/labels/manners.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}

/** A reply with these prompts. */
export function proposing(...prompts: string[]): string {
  return JSON.stringify({ prompts })
}

export function readPrompt({ prompt }: AligningProject): string {
  return readFileSync(prompt, 'utf8')
}
