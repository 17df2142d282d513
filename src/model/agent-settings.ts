import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** Settings of a coding agent that a suite or a test chooses, over those of the target. */
export const agentSettingsSchema = lazily(() =>
  z
    .strictObject({
      model: z.string().min(1).optional().describe('Model of the agent.'),
      max_turns: z.int().min(1).optional().describe('Maximum number of turns.'),
      allowed_tools: z
        .array(z.string().min(1))
        .optional()
        .describe('Tools that the agent may use without asking, such as `Read` or `Bash(git status:*)`.'),
      disallowed_tools: z.array(z.string().min(1)).optional().describe('Tools that the agent must not use.'),
      plugins: z
        .array(z.string().min(1))
        .optional()
        .describe('Folders of plugins to load besides those of the target; a target with `plugins: []` loads none.'),
      add_dirs: z.array(z.string().min(1)).optional().describe('Folders that the agent may read and write.'),
      env: z.record(z.string(), z.string()).optional().describe('Environment variables to add.'),
    })
    .describe('Settings of a coding agent, over those of the target. Relative paths start at the folder of the suite.'),
)

export type AgentSettings = z.output<ReturnType<typeof agentSettingsSchema>>

export type AgentSetting = keyof AgentSettings

interface WithExecution {
  readonly execution: { readonly agent?: AgentSettings | undefined }
}

/** The settings of a test over those of its suite, key by key; of `env`, variable by variable. */
export function agentSettingsOf(suite: WithExecution, test: WithExecution): AgentSettings | undefined {
  const [shared, own] = [suite.execution.agent, test.execution.agent]
  if (!shared || !own) return own ?? shared
  return { ...shared, ...own, ...(shared.env && own.env ? { env: { ...shared.env, ...own.env } } : {}) }
}
