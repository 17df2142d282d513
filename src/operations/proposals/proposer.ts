import { hasErrors } from '../../diagnostics/diagnostic.ts'
import { type Answer, NoAnswer } from '../../model/answer.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Host } from '../../model/host.ts'
import type { Message } from '../../model/message.ts'
import type { JudgeRequest } from '../../model/prompt.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import { defaultTargets, type LoadedConfig } from '../../parse/config.ts'
import { loadTargets } from '../../parse/targets/load-targets.ts'
import { targetContents } from '../../plan/file-hashes.ts'
import { Identities } from '../../plan/identity.ts'
import { providers } from '../../providers/index.ts'
import { latestRun } from '../../record/find-run.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { NotRun } from '../../run/ask.ts'
import { judgePrompt } from '../../run/ask-judge.ts'
import { createAskFactory } from '../../run/ask-target.ts'
import { targetTypes } from '../../spec/targets.ts'
import { currentFolderSuite, turnTest } from '../converse.ts'
import { InvalidFile } from '../invalid-file.ts'
import { readTargets } from '../ping-targets.ts'
import { runContext } from '../run/run-context.ts'
import { Incomplete } from './incomplete.ts'

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

/** Hashes targets with the content of their files, so that a verdict is not repeated on an agent that was changed. */
export async function targetHashes(targets: readonly Target[], host: Host): Promise<string[]> {
  const suite = currentFolderSuite(host)
  const contents = await targetContents(
    targets.map(target => [suite, target]),
    host,
  )
  const identities = new Identities(new Map(), contents)
  return targets.map(target => identities.target(target))
}

/** What a proposer is asked with. */
export interface ProposerContext {
  /** JSON Schema of the reply. */
  readonly reply_schema: JudgeRequest['reply_schema']
  readonly folders: ProjectFolders
  readonly timeout_seconds: number | undefined
  readonly signal: AbortSignal | undefined
  readonly onWarning: (message: string) => void
  readonly host: Host
}

/** Asks for a reply to a conversation. */
export type AskProposer = (messages: readonly Message[]) => Promise<Answer>

/** Asks a target for proposals, with the policies of judges. An error of the target is an `Incomplete`. */
export async function createProposer(
  proposer: Target,
  suite: Suite,
  { reply_schema, folders, timeout_seconds, signal, onWarning, host }: ProposerContext,
): Promise<AskProposer> {
  const abort = host.clock.createAbortController()
  const interrupt = () => abort.abort(new NotRun('stopped'))
  signal?.addEventListener('abort', interrupt, { once: true })
  if (signal?.aborted) interrupt()
  const previous = await latestRun(folders.runs_folder, host).catch(() => undefined)
  const unused = {
    run_id: '',
    hashes: new Map(),
    answers: { get: () => undefined, add: (_: unknown, answer: Answer) => answer },
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
    const request = { messages, reply_schema, temperature: 0 }
    // Proposals should differ: the temperature is that of the target.
    const prompt = { ...judgePrompt(request, proposer, attempt), temperature: undefined }
    return ask(prompt, abort).catch(error => {
      throw proposerError(error, proposer)
    })
  }
}

/** Policies and prompts name the attempt that they are for. */
function proposalAttempt(target: Target, suite: Suite): Attempt {
  const test = turnTest(suite, [])
  const hashes = { request_id: '', test_hash: '', checks_hash: '', target_hash: '', judges_hash: '' }
  return { id: 'proposals', index: 0, suite, test, target, trial: 1, occurrence: 1, ...hashes }
}

/** An error of the proposer leaves the session unfinished; any other is a bug. */
function proposerError(error: unknown, { name }: Target): unknown {
  if (error instanceof NotRun) return new Incomplete('interrupted', 'Interrupted.')
  if (!(error instanceof NoAnswer)) return error
  return new Incomplete('no-proposals', `${name} gave no answer: ${error.message}.`)
}
