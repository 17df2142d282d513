import { suiteNameOf } from './suite-name.ts'

/** How a key of another format, or of another version of this format, is handled. */
export type ForeignKey =
  | { readonly kind: 'renamed'; readonly to: string }
  | { readonly kind: 'describes' }
  | {
      readonly kind: 'refused'
      readonly hint: string | ((value: unknown) => string)
      /** The key that it most likely replaces. */
      readonly means?: string
    }

type ForeignKeys = ReadonlyMap<string, ForeignKey>

const DESCRIBES: ForeignKey = { kind: 'describes' }

const TURNS = 'write earlier turns as messages of `input`, or as tests that share a `conversation_id`'

const REFUSED_EVERYWHERE: [string, ForeignKey][] = [
  ['workspace', refused('set `workspace` in the target, in targets.yaml')],
  ['providers', refused('define targets in targets.yaml, and name one in `execution.target`')],
  ['turns', refused(TURNS)],
  ['target', refused('write it as `execution.target`')],
  ['trials', refused('write it as `execution.trials`')],
  ['timeout_seconds', refused('write it as `execution.timeout_seconds`')],
  ['evaluator', refused('write it as a check under `assert`: `- type: llm_judge`')],
]

export const FOREIGN_SUITE_KEYS: ForeignKeys = new Map<string, ForeignKey>([
  ['eval_cases', { kind: 'renamed', to: 'tests' }],
  ['evalcases', { kind: 'renamed', to: 'tests' }],
  ['tags', DESCRIBES],
  ['author', DESCRIBES],
  ['license', DESCRIBES],
  ['category', DESCRIBES],
  ['requires', DESCRIBES],
  ...REFUSED_EVERYWHERE,
  ['prompts', refused('write each prompt as the `input` of a test, or of one of the `variants` of the suite')],
  ['dataset', { kind: 'refused', hint: datasetHint, means: 'name' }],
  ['targets', refused('list them in `execution.targets`, and define them in targets.yaml')],
  ['input', refused('a suite has no `input`: write one in each test')],
  ['input_files', refused('a suite has no `input_files`: write them in each test')],
])

export const FOREIGN_TEST_KEYS: ForeignKeys = new Map<string, ForeignKey>([
  ['input_messages', { kind: 'renamed', to: 'input' }],
  ['expected_messages', { kind: 'renamed', to: 'expected_output' }],
  ['expected_outcome', { kind: 'renamed', to: 'criteria' }],
  ...REFUSED_EVERYWHERE,
  ['prompts', refused('write the prompt as `input`, or several for all tests as `variants` of the suite')],
  ['dataset', refused('name the dataset in the suite: `tests: ./cases.jsonl`')],
  ['reference_answer', refused('write it as `expected_output`')],
  ['tags', refused('write them as `metadata.tags`')],
])

const OF_THE_JUDGE = 'set it in the target that judges, in targets.yaml'

/** Hints for keys that other formats use in checks judged by a model. */
export const FOREIGN_JUDGE_KEYS: Readonly<Record<string, string>> = {
  temperature: OF_THE_JUDGE,
  max_tokens: OF_THE_JUDGE,
  model: 'name the target that judges in `target`',
  provider: 'name the target that judges in `target`',
}

function refused(hint: string): ForeignKey {
  return { kind: 'refused', hint }
}

/** `dataset` is the name of a suite in some formats, and the path of its tests in others. */
function datasetHint(value: unknown): string {
  if (typeof value !== 'string') return 'write `tests: ./cases.jsonl`'
  if (/[\\/]|\.(jsonl?|ya?ml|csv)$/.test(value)) return `write the path as \`tests\`: \`tests: ${value}\``
  return `the key for the name of a suite is \`name\`: write \`name: ${suiteNameOf(value, 'my-suite')}\``
}

const PROGRAM = 'use `provider: cli` with the command that starts the agent: `command: [my-agent, "{PROMPT}"]`'

/** Hints for providers of other formats, by name with `_`. */
export const FOREIGN_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ...withHint(['claude', 'claude_code', 'claude_sdk'], 'write `provider: claude_cli`, which runs Claude Code'),
  ...withHint(['codex', 'codex_sdk', 'codex_app_server'], 'write `provider: codex_cli`, which runs Codex'),
  ...withHint(['gemini', 'google_gemini', 'vertex'], 'write `provider: google`'),
  ...withHint(['azure_openai'], 'write `provider: azure`'),
  ...withHint(
    ['openrouter'],
    'write `provider: openai_compatible` with `base_url: https://openrouter.ai/api/v1` and `api_key: ${{ OPENROUTER_API_KEY }}`',
  ),
  ...withHint(
    ['bedrock'],
    'use `provider: openai_compatible` with the `base_url` of a gateway, or `provider: cli` with a program that calls it',
  ),
  ...withHint(['echo'], 'write `provider: cli` with `command: [cat]`'),
  ...withHint(['transcript'], 'use `provider: replay` with a recorded run'),
  ...withHint(['copilot', 'copilot_cli', 'copilot_sdk', 'vscode', 'vscode_insiders', 'agentv'], PROGRAM),
  ...withHint(['pi', 'pi_cli', 'pi_sdk', 'pi_rpc', 'pi_agent_sdk', 'pi_coding_agent'], PROGRAM),
])

const RECORDED = 'remove it; every answer is recorded with the run'

/** Hints for keys that other formats use in targets. */
export const FOREIGN_TARGET_KEYS: Readonly<Record<string, string>> = {
  grader_target: 'write it as `judge_target`',
  workspace_template: 'write it as `workspace`, a path relative to the folder that contains `.assay`',
  executable: 'write it as `command`',
  binary: 'write it as `command`',
  command_template: 'write it as `command`',
  timeout: 'write it as `timeout_seconds`',
  max_output_tokens: 'write it as `max_tokens`',
  healthcheck: 'remove it; `assay targets --ping` checks each target',
  files_format: 'remove it; `{FILES}` expands to one argument per file, and `{MESSAGES_FILE}` lists the files too',
  provider_batching: 'remove it; the program runs once per attempt',
  log_dir: RECORDED,
  log_format: RECORDED,
  stream_log: RECORDED,
  verbose: 'remove it, and run `assay eval -v`',
  use_target: 'copy the settings of the other target into this one',
  fallback_targets: 'remove it; a failed call is retried on the same target, up to `retries` times',
  max_budget_usd: 'write it as `execution.budget_usd` of the suite',
}

/** Hints for targets that have a `base_url`. */
export const FOREIGN_SERVICE_KEYS: Readonly<Record<string, string>> = {
  ...FOREIGN_TARGET_KEYS,
  endpoint: 'write it as `base_url`',
}

function withHint(names: readonly string[], hint: string): [string, string][] {
  return names.map(name => [name, hint])
}
