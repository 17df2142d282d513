import * as z from '../../lib/zod.ts'
import { type Answer, NoAnswer, type NoAnswerCode } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/location.ts'
import type { Prompt } from '../../model/prompt.ts'
import { isAnswered, type RecordedError, type Recording } from '../../model/recordings.ts'
import type { RunInfo } from '../../model/run-info.ts'
import type { StandIn } from '../../model/target.ts'
import { treeHash } from '../../model/tree-hash.ts'
import { defineProvider } from '../../providers/define-provider.ts'

interface Records {
  recordFor(prompt: Prompt): Recording | RecordedError | undefined
  /** Whether a check inspects the workspace of the answer. */
  looksAround(prompt: Prompt): boolean
}

/** Targets that replay the recorded answers and errors of a run. */
export function recordedTargets({ targets, target_skills, root }: RunInfo, records: Records, host: Host): StandIn {
  return (name: string, at: Origin) => {
    const written = targets.find(target => target['name'] === name) ?? { name }
    const { provider, judge_target, system_prompt } = written as Readonly<Record<string, string | undefined>>
    return {
      name,
      provider: recordedProvider(provider ?? 'recorded', records, host),
      config: {},
      settings: { provider: provider ?? 'recorded', judge_target, system_prompt, retries: 0 },
      skills: target_skills?.find(({ target }) => target === name)?.skills,
      written,
      home: root,
      at,
    }
  }
}

function recordedProvider(type: string, records: Records, host: Host) {
  return defineProvider({
    type,
    config: () => z.object({}),
    execution: { isCacheable: () => false, isPaid: true },
    answer: async (_, prompt) => {
      const recorded = records.recordFor(prompt)
      if (!recorded) throw new NoAnswer('no-recording', 'the run has no answer to this prompt')
      if (!isAnswered(recorded)) throw sameError(recorded)
      const { answer } = recorded
      const { workspace_path: path } = answer
      // Records may name any folder of this machine: only temporary folders of ours are used.
      const isGone = path !== undefined && !(await host.files.hasTemporaryFolder(path).catch(() => false))
      // Without the changes, checks cannot tell that there was a workspace.
      if (isGone && !answer.changes && records.looksAround(prompt)) throw new NoAnswer('target-error', GONE)
      if (isGone) return { ...answer, workspace_path: undefined }
      return (await isAltered(answer, host)) ? { ...answer, workspace_altered: true } : answer
    },
  })
}

/** Whether the files of a workspace have changed since its agent finished: checks that run commands write there. */
async function isAltered({ workspace_path: path, workspace_hash }: Answer, host: Host): Promise<boolean> {
  if (path === undefined || workspace_hash === undefined) return false
  const now = await host.files.readTree(path).catch(() => undefined)
  return !now || treeHash(now) !== workspace_hash
}

/** Repeats the error of a recorded attempt. */
function sameError({ error }: RecordedError): NoAnswer {
  const { code, message, never_reached = false } = error
  return new NoAnswer(code as NoAnswerCode, message, { never_reached })
}

const GONE = 'the workspace of this answer no longer exists (it is removed after a pass), so a judge cannot inspect it'
