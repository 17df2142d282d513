import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

const name = lazily(() => z.string().min(1))

/** Schema of `.assay/config.yaml`: defaults for command-line options that do not change the meaning of a suite. */
export const configSchema = lazily(() =>
  z
    .strictObject({
      $schema: z.string().optional().describe('Path or URL of the JSON Schema, for editors.'),
      target: z
        .union([name(), z.array(name()).min(1)])
        .optional()
        .describe(
          'Target or targets for tests that do not name one, and whose suite does not either. Replaces `default`.',
        ),
      workers: z.int().min(1).optional().describe('Number of concurrent attempts, like `--workers`.'),
      timeout_seconds: z
        .number()
        .min(1)
        .max(3600)
        .optional()
        .describe('Time limit for one answer, in seconds, unless the test, the suite or the target sets one.'),
      judge: name()
        .optional()
        .describe('Target that judges, unless the check or the answering target names one. Replaces `judge`.'),
      log: z.boolean().optional().describe('Log every attempt in `.co/evals`, like `--log`.'),
      eval_patterns: z
        .array(name())
        .min(1)
        .optional()
        .describe(
          'Globs of suites, used when no path is given. They start at the folder that contains `.assay`; a glob that begins with `!` excludes files.',
        ),
    })
    .describe('Defaults for command-line options. Options on the command line take precedence.'),
)

export type Config = Readonly<z.output<ReturnType<typeof configSchema>>>
