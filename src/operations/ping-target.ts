import { logRecordings } from '../log/log-recordings.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import type { Prompt } from '../model/prompt.ts'
import type { AskContext } from '../model/provider.ts'
import type { Recordings } from '../model/recordings.ts'
import type { Target } from '../model/target.ts'
import { workspaceOf } from '../model/workspace.ts'
import { latestRun } from '../record/find-run.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { createRecordingsReader } from '../record/recordings.ts'
import type { Ask, Policy } from '../run/ask.ts'
import { embedMessages } from '../run/embed-messages.ts'
import { timeout } from '../run/policies/timeout.ts'
import { measureUsage } from '../run/policies/usage.ts'
import { useTemporaryWorkspace } from '../run/policies/workspace.ts'
import { targetSteps, WorkspaceCommands } from '../run/workspace-commands.ts'
import { Workspaces } from '../run/workspaces.ts'

/** The result of one short prompt to a target. */
export interface Ping {
  readonly answer?: Pick<Answer, 'duration_ms' | 'model' | 'token_usage' | 'cost_usd'>
  /** Set where the target did not answer. */
  readonly error?: { readonly code: string; readonly message: string }
  /** Whether the target is fine all the same: it answers only known prompts. */
  readonly is_there?: boolean
  /** Warnings of the provider. */
  readonly warnings: readonly string[]
}

interface PingContext {
  readonly host: Host
  readonly signal: AbortSignal
}

const DEFAULT_TIMEOUT_SECONDS = 60

/** Sends a target one short prompt. Nothing is recorded. */
export async function pingTarget(target: Target, { host, signal }: PingContext): Promise<Ping> {
  const { timeout_seconds = DEFAULT_TIMEOUT_SECONDS, price } = target.settings
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const provider = providerAsk(target, warn, host)
  const ask = inWorkspace(target, host, warn)(timeout(timeout_seconds, host)(measureUsage(price, host)(provider)))
  try {
    signal.throwIfAborted()
    const { duration_ms, model, token_usage, cost_usd } = await ask(promptFor(target, host), { signal })
    return { answer: { duration_ms, model, token_usage, cost_usd }, warnings }
  } catch (error) {
    return { ...problem(error, signal), warnings }
  }
}

/** Gives the ping a copy of the workspace of its target. */
function inWorkspace(target: Target, host: Host, warn: (message: string) => void): Policy {
  const folder = workspaceOf(target)
  if (folder === undefined) return ask => ask
  const commands = new WorkspaceCommands(targetSteps(target), host, warn)
  return useTemporaryWorkspace(folder, new Workspaces(host), host, commands)
}

/** Describes an error; one other than `NoAnswer` is a bug of the provider. */
function problem(error: unknown, signal: AbortSignal): Pick<Ping, 'error' | 'is_there'> {
  if (signal.aborted) return { error: { code: 'interrupted', message: 'the ping was interrupted' } }
  if (error instanceof NoAnswer) {
    const { code, message } = error
    return { error: { code, message }, is_there: KNOW_OTHERS.includes(code) }
  }
  return { error: { code: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
}

/** Codes of targets that answer only known prompts, from a table or records. */
const KNOW_OTHERS: readonly string[] = ['no-match', 'no-recording']

function providerAsk(target: Target, warn: (message: string) => void, host: Host): Ask {
  const { provider, config, home } = target
  return async (prompt, { signal }) => {
    const recordings = (from: string) => recordingsIn(from, home, host)
    const context = { host, signal, home, warn, recordings }
    try {
      return await provider.answer(config, prompt, context)
    } catch (error) {
      const isRejected = error instanceof NoAnswer && error.code === 'http-status' && !error.retryable
      const embedded = isRejected && provider.embed ? await tryToEmbed(target, prompt, context) : undefined
      if (!embedded) throw error
      warn('embeds texts, but does not answer prompts: use it as `target` of `similar` checks only')
      return embedded
    }
  }
}

/** A model for embeddings rejects prompts. Undefined if it cannot embed the text of one either. */
async function tryToEmbed(target: Target, prompt: Prompt, context: AskContext): Promise<Answer | undefined> {
  try {
    return await embedMessages(target, prompt, context)
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    throw error
  }
}

/** Tells a run that does not exist from one without an answer. */
async function recordingsIn(from: string, home: string, host: Host): Promise<Recordings> {
  const { runs_folder } = await findProjectFolders(undefined, host)
  const recordings = createRecordingsReader(runs_folder, await latestRun(runs_folder, host), logRecordings, host)
  return recordings(from, home).catch(error => {
    throw error instanceof NoAnswer ? new NoAnswer('target-error', error.message) : error
  })
}

function promptFor({ name, settings }: Target, host: Host): Prompt {
  return {
    messages: [{ role: 'user', content: [{ type: 'text', value: 'Reply with the word ok.' }] }],
    system_prompt: settings.system_prompt,
    test_id: 'ping',
    suite: 'ping',
    folder: host.cwd,
    trial: 1,
    target: name,
    attempt_id: 'ping',
    request_id: 'ping',
  }
}
