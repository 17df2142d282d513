import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

const count = lazily(() => z.int().min(0))
const ms = lazily(() => z.number().min(0))

/** How far a run is: `live.json` in its folder, which its process replaces at most twice a second and removes at the end. */
export const liveStatusSchema = lazily(() =>
  z
    .strictObject({
      updated: z.string().describe('When the file was written.'),
      total: count().describe('Number of planned attempts; the most that are made if the run ends when it is decided.'),
      done: count().describe('Number of attempts with a result, with those of earlier processes.'),
      elapsed_ms: ms().describe('Time since this process started the run.'),
      left_ms: ms().optional().describe('Estimated time to the end; absent before the first result.'),
      cost_usd: ms().describe('Known cost of this process: what the budget counts, else targets and judges.'),
      budget_usd: ms().optional(),
      running: z.array(z.strictObject({ name: z.string(), ms: ms() })).describe('Attempts in progress, longest first.'),
      more_running: count().optional().describe('How many attempts in progress are not listed.'),
      waiting: z
        .array(
          z.strictObject({
            target: z.string().describe('The target, or the judge, that is waited for.'),
            attempts: count().describe('Number of attempts that wait.'),
            ms: ms().describe('Time until the last of them stops waiting.'),
            reason: z.string(),
          }),
        )
        .describe('Each endpoint that attempts wait for.'),
      evidence: z.array(z.string()).describe('How far each decision of `--until-decided` is.'),
    })
    .describe('How far a run is.'),
)

export type LiveStatus = z.output<ReturnType<typeof liveStatusSchema>>
