import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { assay } from './in-process.ts'
import { folderWith, type Result } from './program.ts'
import { model } from './servers/model-servers.ts'
import { type Server, serve } from './servers/server.ts'

const AGENT = join(import.meta.dirname, 'trigger-agent.sh')

/** The skill is used for queries that begin with a word of its description. */
export const SKILL =
  '---\nname: tables\ndescription: Works with csv files\nlicense: MIT # as is\n---\n# Tables\n\nMake a table.\n'

interface Query {
  readonly query: string
  readonly should_trigger: boolean
}

/** Queries that need these words, and as many that should not use the skill. */
export function queriesFor(words: readonly string[], count: number): Query[] {
  return Array.from({ length: count }, (_, index) => [
    { query: `${words[index % words.length]}: number ${index}`, should_trigger: true },
    { query: `poem: number ${index}`, should_trigger: false },
  ]).flat()
}

export interface TuningProject {
  readonly folder: string
  tune(...args: string[]): Promise<Result>
  /** The result of a session, as JSON. */
  tuned(...args: string[]): Promise<Result & { readonly data: TunedData }>
  /** The starts of the agent, in order. */
  starts(): { readonly query: string; readonly cwd: string }[]
  readonly server: Server
  readonly skill: string
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of the command
type TunedData = any

export interface ProjectOptions {
  readonly skill?: string
  readonly queries?: readonly Query[]
  /** The replies of the proposer, in order; the last is repeated. Or a reply by what it is asked. */
  readonly replies: readonly string[] | ((asked: string) => string)
  readonly env?: Record<string, string>
  readonly target?: object
  readonly usage?: { input: number; output: number }
}

/** The command, with few starts of the agent. */
export const TUNE = [
  ...['skill', 'tune', 'skills/tables', '--queries', 'queries.json', '--target', 'claude'],
  ...['--trials', '1', '--proposals', '2'],
]

const servers: Server[] = []
afterAll(() => Promise.all(servers.map(server => server.close())))

/** A project with a skill, a coding agent and a proposer on loopback. */
export async function tuningProject(options: ProjectOptions): Promise<TuningProject> {
  const { skill = SKILL, queries = queriesFor(['table', 'column'], 13), replies, env, target, usage } = options
  const server = await serve((call, response) => {
    const text =
      typeof replies === 'function' ? replies(call.body) : (replies[Math.min(call.nth, replies.length) - 1] ?? '')
    return model('openai_compatible', { text, ...(usage ? { usage } : {}) })(call, response)
  })
  servers.push(server)
  const folder = folderWith({})
  const log = join(folder, 'starts.log')
  const agent = {
    name: 'claude',
    provider: 'claude_cli',
    command: AGENT,
    retries: 0,
    env: { TRIGGER_LOG: log, ...env },
  }
  const judge = {
    name: 'judge',
    provider: 'openai_compatible',
    base_url: `${server.url}/v1`,
    model: 'm',
    api_key: 'k',
    retries: 0,
  }
  folderWith(
    {
      'skills/tables/SKILL.md': skill,
      'skills/tables/scripts/run.py': 'print(1)\n',
      'queries.json': JSON.stringify(queries),
      '.assay/targets.yaml': JSON.stringify({ targets: [{ ...agent, ...target }, judge] }),
    },
    folder,
  )
  const tune = (...args: string[]) => assay([...TUNE, ...args], { cwd: folder })
  return {
    folder,
    tune,
    tuned: async (...args) => {
      const run = await tune('--json', ...args)
      return { ...run, data: run.stdout === '' ? undefined : JSON.parse(run.stdout) }
    },
    starts: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map(line => JSON.parse(line))
        : [],
    server,
    skill: join(folder, 'skills/tables/SKILL.md'),
  }
}

/** A reply with these descriptions. */
export function proposing(...descriptions: string[]): string {
  return JSON.stringify({ descriptions })
}
