import { lazily } from '../../lib/lazily.ts'
import { withHints } from '../../lib/schema-rules.ts'
import * as z from '../../lib/zod.ts'

const text = lazily(() => z.string().min(1))
const texts = lazily(() => z.array(text()))

const schemaVersion = lazily(() =>
  withHints(
    z
      .string()
      .regex(/^1\.\d+$/, 'is not a supported version of the format: use "1.0"')
      .describe('Version of the format.'),
    { value: found => (typeof found === 'number' ? 'write `schema_version: "1.0"`' : undefined) },
  ),
)

/** What describes a case, in both of its files. */
const aboutFields = lazily(() => ({
  name: text().describe('Name of the case. Default: the name of its folder.'),
  description: z.string().describe('Purpose of the case.'),
  expected_outcome: z.string().regex(/\S/, 'must not be blank').describe('Description of a good result.'),
  tags: texts().describe('Tags.'),
}))

/** How the agent of a case runs. */
const runFields = lazily(() => ({
  plugins: texts().describe('Folders of further plugins.'),
  runs: z.int().min(1).max(50).describe('Number of runs.'),
  model: text().describe('Model of the agent.'),
  append_system_prompt: z.string().regex(/\S/, 'must not be blank').describe('Text to add to the system prompt.'),
  max_turns: z.int().min(1).max(200).describe('Maximum number of turns.'),
  timeout_seconds: z.number().min(1).max(3600).describe('Time limit of a run, in seconds.'),
  allowed_tools: texts().describe('Tools that the agent may use without asking.'),
  disallowed_tools: texts().describe('Tools that the agent must not use.'),
  env: z
    .record(z.string().regex(/^EVAL_\w+$/, 'is not a variable of a case: its name must begin with `EVAL_`'), z.string())
    .describe('Environment variables.'),
}))

/** Schema of the frontmatter of `prompt.md`. */
export const promptFieldsSchema = lazily(() =>
  z.strictObject({ schema_version: schemaVersion(), ...aboutFields(), ...runFields() }).partial(),
)

/** Schema of `case.yaml`. */
export const caseFileSchema = lazily(() =>
  z.strictObject({
    schema_version: schemaVersion(),
    name: aboutFields().name,
    description: aboutFields().description.optional(),
    expected_outcome: aboutFields().expected_outcome.optional(),
    tags: aboutFields().tags.optional(),
    execution: z.strictObject({ prompt: z.string(), ...runFields() }).partial(),
    context: z
      .strictObject({
        scaffold_script: text().describe('Script that prepares the workspace, run by bash.'),
        history_file: text().describe('Earlier messages, as the JSON lines of a session.'),
        add_dirs: texts().describe('Further folders that the agent may use.'),
      })
      .partial()
      .optional(),
    // Graders are checked one by one.
    graders: z.array(z.unknown()).optional(),
  }),
)

type PromptFields = z.output<ReturnType<typeof promptFieldsSchema>>
type CaseFile = z.output<ReturnType<typeof caseFileSchema>>

/** The settings of a case from both of its files, on one level. */
export type CaseFields = PromptFields & NonNullable<CaseFile['context']> & { readonly prompt?: string | undefined }
