import type { Host } from '../../../model/host.ts'
import type { Prompt } from '../../../model/prompt.ts'
import { messageText, promptText } from '../../../model/prompt-text.ts'

interface AgentPrompt {
  /** What the agent is told apart from the rest, where there is something. */
  readonly system: string | undefined
  readonly text: string
}

/** A prompt for an agent: system messages go their own way, all else is text. */
export async function agentPrompt({ messages, system_prompt }: Prompt, host: Host): Promise<AgentPrompt> {
  const systems = await Promise.all(
    messages.filter(({ role }) => role === 'system').map(message => messageText(message, host, 'inlined')),
  )
  const others = messages.filter(({ role }) => role !== 'system')
  const system = [...(system_prompt === undefined ? [] : [system_prompt]), ...systems].join('\n\n')
  return {
    system: system === '' ? undefined : system,
    text: await promptText({ messages: others, system_prompt: undefined }, host, 'inlined'),
  }
}
