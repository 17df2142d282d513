import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

const line = lazily(() => z.string().min(1))
const lines = lazily(() => z.array(line()).min(1))

/** Commands that run in a workspace: a shell line, several, or either with a time limit. */
export const commandsSchema = lazily(() =>
  z.union([
    line(),
    lines(),
    z.strictObject({
      run: z.union([line(), lines()]).describe('A command line for the shell, or several that run one after another.'),
      timeout_seconds: z.number().min(1).max(3600).optional().describe('Time limit for all of them, in seconds.'),
    }),
  ]),
)

export type Commands = z.output<ReturnType<typeof commandsSchema>>

/** The variable that has the folder of the suite, in commands around an agent. */
export const SUITE_FOLDER_VARIABLE = 'ASSAY_SUITE_DIR'

/** The fields of commands around an agent, of targets and of `execution`. */
export const commandFields = lazily(() => ({
  setup: commandsSchema()
    .optional()
    .describe(
      'Commands that run in the copy of the workspace before the agent: a command line for the shell, several, or `{run, timeout_seconds}`. Default: 300 seconds. `$ASSAY_SUITE_DIR` is the folder of the suite.',
    ),
  teardown: commandsSchema()
    .optional()
    .describe(
      'Commands that run in the copy of the workspace after the checks, also after an error or an interruption. Default: 60 seconds.',
    ),
}))

/** The command lines, and their time limit if it is set. */
export function commandLines(commands: Commands): {
  readonly lines: readonly string[]
  readonly timeout_seconds?: number | undefined
} {
  const { run, timeout_seconds } =
    typeof commands === 'string' || Array.isArray(commands) ? { run: commands, timeout_seconds: undefined } : commands
  return { lines: [run].flat(), timeout_seconds }
}
