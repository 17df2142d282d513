import * as z from 'zod'

/** Fields of every provider that starts a program. */
export const programFields = {
  cwd: z.string().min(1).optional().describe('Where it runs. Default: its workspace, else the folder of the suite.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables added to its environment.'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('A folder that is copied anew for each attempt; the program runs in the copy.'),
}

/** Fields of the coding agents among them. */
export const agentFields = {
  ...programFields,
  model: z.string().min(1).optional().describe('The model that the agent uses.'),
  max_turns: z.int().min(1).optional().describe('The most turns of the agent.'),
  permission_mode: z.string().min(1).optional().describe('What the agent may do without asking, in its own words.'),
  args: z.array(z.string()).optional().describe('Further arguments, passed as they are.'),
  config_dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The agent's configuration: `isolated`, `user`, or a path. Default: `isolated` with `skills`, else `user`.",
    ),
  skills: z.array(z.string().min(1)).min(1).optional().describe('Folders of skills that the agent gets.'),
}

export type AgentConfig = z.output<z.ZodObject<typeof agentFields>>
