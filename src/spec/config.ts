import * as z from 'zod'

const name = z.string().min(1)

/** `.assay/config.yaml`: defaults for options of the command line, and nothing that changes what a suite means. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema for editors.'),
    target: z
      .union([name, z.array(name).min(1)])
      .optional()
      .describe(
        'The target, or the targets, of tests for which neither they nor their suite name one: in place of `default`.',
      ),
    workers: z.int().min(1).optional().describe('How many attempts run at once, as `--workers`.'),
    timeout_seconds: z
      .number()
      .min(1)
      .max(3600)
      .optional()
      .describe('How long one answer may take, where neither the test, nor the suite, nor the target says so.'),
    judge: name
      .optional()
      .describe(
        'The target that judges, where neither the check nor the target that answers names one: in place of `judge`.',
      ),
    log: z.boolean().optional().describe('Also log every attempt in `.co/evals`, as `--log`.'),
    eval_patterns: z
      .array(name)
      .min(1)
      .optional()
      .describe(
        'Which files are suites when no path is named: globs from the folder that holds `.assay`; one that begins with `!` leaves files out.',
      ),
  })
  .describe('Defaults for options of the command line, which wins over them.')

export type Config = Readonly<z.output<typeof configSchema>>
