import * as z from 'zod'
import type { Answer } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import { NoAnswer } from '../model/no-answer.ts'
import type { Origin } from '../model/place.ts'
import type { Prompt } from '../model/prompt.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { StandIn } from '../parse/suite-targets.ts'
import { defineProvider } from '../providers/provider.ts'

interface Recorded {
  answerTo(prompt: Prompt): Answer | undefined
  /** Whether somebody looks into the folder in which it was answered. */
  looksAround(prompt: Prompt): boolean
}

/** Targets that give the answers which were recorded, in the name of those that gave them. */
export function recordedTargets({ targets, root }: RunInfo, recorded: Recorded, host: Host): StandIn {
  return (name: string, at: Origin) => {
    const written = targets.find(target => target['name'] === name) ?? { name }
    const { provider, judge_target, system_prompt } = written as Readonly<Record<string, string | undefined>>
    return {
      name,
      provider: recordedProvider(provider ?? 'recorded', recorded, host),
      config: {},
      settings: { provider: provider ?? 'recorded', judge_target, system_prompt, retries: 0 },
      written,
      home: root,
      at,
    }
  }
}

function recordedProvider(type: string, recorded: Recorded, host: Host) {
  return defineProvider({
    type,
    config: z.object({}),
    isCacheable: () => false,
    answer: async (_, prompt) => {
      const answer = recorded.answerTo(prompt)
      if (!answer) throw new NoAnswer('no-recording', 'the run has no answer to this')
      const { workspace_path: path } = answer
      // Whoever wrote the records may name any folder of this machine: only one that we have made is looked into.
      const isGone = path !== undefined && !(await host.hasTemporary(path).catch(() => false))
      if (isGone && recorded.looksAround(prompt)) throw new NoAnswer('target-error', GONE)
      return isGone ? { ...answer, workspace_path: undefined } : answer
    },
  })
}

const GONE =
  'the folder in which this was answered is gone, as after every pass: a judge that looks around would see another one'
