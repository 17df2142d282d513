import { join } from 'node:path'
import { canonicalJson } from '../../../lib/json/stringify.ts'
import { createRedactor, type Redactor } from '../../../lib/redaction/redactor.ts'
import { sha256 } from '../../../lib/sha256.ts'
import type { Host } from '../../../model/host.ts'
import type { Target } from '../../../model/target.ts'
import type { TuningSession } from '../../../model/tuning.ts'
import { UserError } from '../../../model/user-error.ts'
import { findProjectFolders, type ProjectFolders } from '../../../record/project-folders.ts'
import { RECORD_KEYS } from '../../../record/record-keys.ts'
import { recordedPath } from '../../../record/recorded-path.ts'
import { loadNearestConfig } from '../../config.ts'
import { openRun } from '../../open-run.ts'
import { loadOne, proposerName, targetHashes } from '../../proposals/proposer.ts'
import { requireTargetsFile } from '../../targets-file.ts'
import { readQueries } from './read-queries.ts'
import { SessionFolder, tuningFolder } from './session-folder.ts'
import { hashSkill, readSkill, type SkillSource } from './skill-source.ts'
import { distinctQueries, seedOf, splitQueries } from './split-queries.ts'
import { requireAgent } from './tuned-target.ts'
import { planTuning, type TuningEffort, type TuningPlan } from './tuning-plan.ts'

/** What a tuning session is asked for. Relative paths start from the current folder. */
export interface TuneOptions extends Partial<{ readonly [Key in keyof TuningEffort]: TuningEffort[Key] | undefined }> {
  /** The folder of the skill. */
  readonly folder: string
  /** A trigger set, or an evals.json with `should_trigger`. Default: the one in the folder of the skill. */
  readonly queries?: string | undefined
  /** Name of the coding agent. */
  readonly target?: string | undefined
  /** Name of the target that proposes descriptions. */
  readonly proposer?: string | undefined
  readonly targets_file?: string | undefined
  /** Share of the queries that are held out. Default: 0.4. */
  readonly held_out?: number | undefined
  /** Draws other parts. Default: follows from the queries. */
  readonly seed?: number | undefined
  readonly workers?: number | undefined
  /** Most that the session may cost, in US dollars, with what it has spent before. */
  readonly max_cost_usd?: number | undefined
  /** The command that starts the session, for the records. */
  readonly command?: readonly string[] | undefined
}

/** A tuning session that is ready to start. */
export interface PreparedTuning {
  readonly options: TuneOptions
  readonly skill: SkillSource
  readonly session: TuningSession
  readonly folder: SessionFolder
  readonly folders: ProjectFolders
  readonly plan: TuningPlan
  readonly target: Target
  readonly proposer: Target
  readonly redactor: Redactor
  readonly timeout_seconds: number | undefined
  /** Number of repeated queries that were left out. */
  readonly repeated: number
  /** Mean cost of an attempt on the target in the last run; undefined if unknown. */
  readonly attempt_cost_usd: number | undefined
  /** Whether the session was begun before. */
  readonly is_begun: boolean
}

const DEFAULTS = { trials: 3, training_trials: 1, rounds: 3, proposals: 3, held_out: 0.4 }

/** Reads everything that a session depends on; nothing is asked or written. */
export async function prepareTuning(options: TuneOptions, host: Host): Promise<PreparedTuning> {
  const skill = await readSkill(options.folder, host)
  const folders = await findProjectFolders(undefined, host)
  const { queries, repeated } = distinctQueries(await readQueries(await queriesFile(options, skill, host), host))
  const given = { ...DEFAULTS, ...withoutUndefined(options) }
  const seed = options.seed ?? seedOf(queries)
  const split = splitQueries(queries, given.held_out, seed)
  const { trials, training_trials, rounds, proposals } = given
  const plan = planTuning(split, given)
  const config = await loadNearestConfig(host)
  const file = { file: await requireTargetsFile(options.targets_file, host), config, host }
  const { target, secrets } = await loadOne(options.target, file)
  requireAgent(target)
  const named = await proposerName(options.proposer, target, file)
  const { target: proposer, secrets: others } = await loadOne(named, file)
  const session: TuningSession = {
    schema_version: 1,
    skill: skill.name,
    folder: recordedPath(skill.folder, folders.root),
    skill_sha256: skill.sha256,
    description: skill.description,
    ...{ target: target.name, proposer: proposer.name, seed, trials, training_trials, rounds, proposals },
    queries: split,
  }
  const made = [session, await hashSkill(skill, host), ...(await targetHashes([target, proposer], host))]
  const id = sha256(canonicalJson(made)).slice(0, 8)
  const folder = new SessionFolder(join(tuningFolder(folders), `${skill.name}-${id}`), host)
  return {
    ...{ options, skill, session, folder, folders, plan, target, proposer, repeated },
    redactor: createRedactor(new Map([...secrets, ...others]), RECORD_KEYS),
    timeout_seconds: config.config.timeout_seconds,
    attempt_cost_usd: await earlierCost(target.name, host),
    is_begun: (await folder.session()) !== undefined,
  }
}

function withoutUndefined(options: TuneOptions): Partial<typeof DEFAULTS> {
  const { trials, training_trials, rounds, proposals, held_out } = options
  return Object.fromEntries(
    Object.entries({ trials, training_trials, rounds, proposals, held_out }).filter(([, value]) => value !== undefined),
  )
}

/** Where skills have their queries. */
const USUAL_FILES = ['trigger-evals.json', 'eval_queries.json', 'evals.json']

async function queriesFile({ queries, folder }: TuneOptions, skill: SkillSource, host: Host): Promise<string> {
  if (queries !== undefined) return queries
  for (const place of ['evals', '.']) {
    for (const name of USUAL_FILES) {
      const path = join(skill.folder, place, name)
      if ((await host.files.stat(path).catch(() => undefined))?.kind === 'file') return path
    }
  }
  throw new UserError(
    `${folder} has no queries: looked for ${USUAL_FILES.join(', ')} in it and in its \`evals\`.`,
    'Name a file with --queries: a JSON list of `query` and `should_trigger`.',
  )
}

/** What an attempt on a target has cost in the last run. */
async function earlierCost(target: string, host: Host): Promise<number | undefined> {
  const run = await openRun('latest', undefined, host).catch(() => undefined)
  try {
    const costs = [...(run?.facts() ?? [])].flatMap(facts => (facts.target === target ? (facts.cost_usd ?? []) : []))
    return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  } finally {
    run?.close()
  }
}
