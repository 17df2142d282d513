import * as z from 'zod'
import { hasErrors } from '../../../diagnostics/diagnostic.ts'
import type { Attempt } from '../../../model/attempt.ts'
import type { Host } from '../../../model/host.ts'
import type { Suite } from '../../../model/suite.ts'
import type { Target } from '../../../model/target.ts'
import { defaultTargets, type LoadedConfig } from '../../../parse/config.ts'
import { loadTargets } from '../../../parse/targets/load-targets.ts'
import { providers } from '../../../providers/index.ts'
import { latestRun } from '../../../record/find-run.ts'
import type { ProjectFolders } from '../../../record/project-folders.ts'
import { NotRun } from '../../../run/ask.ts'
import { judgePrompt } from '../../../run/ask-judge.ts'
import { createAskFactory } from '../../../run/ask-target.ts'
import { targetTypes } from '../../../spec/targets.ts'
import { currentFolderSuite, turnTest } from '../../converse.ts'
import { InvalidFile } from '../../invalid-file.ts'
import { readTargets } from '../../ping-targets.ts'
import { runContext } from '../../run/run-context.ts'
import { proposalsSchema } from './proposal-prompt.ts'
import type { AskProposer } from './propose.ts'

/** Loads one target. Throws `InvalidFile`. */
export async function loadOne(name: string | undefined, { file, config, host }: TargetFile) {
  const suite = currentFolderSuite(host)
  const test = turnTest(suite, [])
  const loaded = await loadTargets([{ suite, tests: [test] }], {
    host,
    types: targetTypes(providers),
    file,
    names: name === undefined ? undefined : [name],
    defaults: { ...defaultTargets(config.config), at: config.at },
  })
  const [arm] = loaded.armsOf(suite, test)
  if (hasErrors(loaded.diagnostics) || !arm) throw new InvalidFile(loaded.diagnostics)
  return { target: arm.target, secrets: loaded.secrets }
}

/** Where targets are read from. */
export interface TargetFile {
  readonly file: string
  readonly config: LoadedConfig
  readonly host: Host
}

/** The name of the proposer: as judges are chosen, else the target itself. */
export async function proposerName(
  given: string | undefined,
  target: Target,
  { file, config, host }: TargetFile,
): Promise<string> {
  const named = given ?? target.settings.judge_target ?? defaultTargets(config.config)?.judge
  if (named !== undefined) return named
  const { names } = await readTargets(file, undefined, host)
  return names.includes('judge') ? 'judge' : target.name
}

/** What a proposer is asked with. */
export interface ProposerContext {
  readonly folders: ProjectFolders
  readonly timeout_seconds: number | undefined
  readonly signal: AbortSignal | undefined
  readonly onWarning: (message: string) => void
  readonly host: Host
}

const REPLY_SCHEMA = z.toJSONSchema(proposalsSchema, { target: 'draft-7' })

/** Asks a target for descriptions, with the policies of judges. */
export async function createProposer(
  proposer: Target,
  suite: Suite,
  { folders, timeout_seconds, signal, onWarning, host }: ProposerContext,
): Promise<AskProposer> {
  const abort = host.clock.createAbortController()
  const interrupt = () => abort.abort(new NotRun('stopped'))
  signal?.addEventListener('abort', interrupt, { once: true })
  if (signal?.aborted) interrupt()
  const previous = await latestRun(folders.runs_folder, host).catch(() => undefined)
  const unused = {
    run_id: '',
    hashes: new Map(),
    answers: { get: () => undefined, add: (_: unknown, answer: Awaited<ReturnType<AskProposer>>) => answer },
    budgetsOf: () => [],
    judgeOf: () => undefined,
    workers: undefined,
  }
  const notify = (event: { type: string; message?: string; reason?: string }) => {
    if (event.type === 'warning' && event.message !== undefined) onWarning(event.message)
  }
  const parts = { ...unused, timeout_seconds, notify, stop: abort.signal, abort }
  const asks = createAskFactory(runContext({ folders, previous, toJson: JSON.stringify }, parts, host))
  const attempt = proposalAttempt(proposer, suite)
  const ask = asks.judge(attempt, proposer)
  return messages => {
    const request = { messages, reply_schema: REPLY_SCHEMA, temperature: 0 }
    // Proposals should differ: the temperature is that of the target.
    return ask({ ...judgePrompt(request, proposer, attempt), temperature: undefined }, abort)
  }
}

/** Policies and prompts name the attempt that they are for. */
function proposalAttempt(target: Target, suite: Suite): Attempt {
  const test = turnTest(suite, [])
  const hashes = { request_id: '', test_hash: '', checks_hash: '', target_hash: '', judges_hash: '' }
  return { id: 'proposals', index: 0, suite, test, target, trial: 1, occurrence: 1, ...hashes }
}
