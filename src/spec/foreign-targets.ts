const PROGRAM = 'use `provider: cli` with the command that starts the agent: `command: [my-agent, "{PROMPT}"]`'

/** What to write instead of the providers of other formats, by their names with `_`. The list is closed. */
export const FOREIGN_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ...named(['claude', 'claude_code', 'claude_sdk'], 'write `provider: claude_cli`, which runs Claude Code'),
  ...named(['codex', 'codex_sdk', 'codex_app_server'], 'write `provider: codex_cli`, which runs Codex'),
  ...named(['gemini', 'google_gemini', 'vertex'], 'write `provider: google`'),
  ...named(['azure_openai'], 'write `provider: azure`'),
  ...named(
    ['openrouter'],
    'write `provider: openai_compatible` with `base_url: https://openrouter.ai/api/v1` and `api_key: ${{ OPENROUTER_API_KEY }}`',
  ),
  ...named(
    ['bedrock'],
    'use `provider: openai_compatible` with the `base_url` of a gateway, or `provider: cli` with a program that asks it',
  ),
  ...named(['echo'], 'write `provider: cli` with `command: [cat]`'),
  ...named(['transcript'], 'use `provider: replay` with a recorded run'),
  ...named(['copilot', 'copilot_cli', 'copilot_sdk', 'vscode', 'vscode_insiders', 'agentv'], PROGRAM),
  ...named(['pi', 'pi_cli', 'pi_sdk', 'pi_rpc', 'pi_agent_sdk', 'pi_coding_agent'], PROGRAM),
])

const RECORDED = 'remove it: every answer is recorded with the run'

/** What to write instead of keys that other formats give to a target. */
export const FOREIGN_TARGET_KEYS: Readonly<Record<string, string>> = {
  grader_target: 'write it as `judge_target`',
  workspace_template: 'write it as `workspace`, a path from the folder that holds the settings folder',
  executable: 'write it as `command`',
  binary: 'write it as `command`',
  command_template: 'write it as `command`',
  timeout: 'write it as `timeout_seconds`',
  max_output_tokens: 'write it as `max_tokens`',
  healthcheck: 'remove it: `assay targets --ping` asks each target',
  files_format: 'remove it: `{FILES}` is one argument for each file, and `{MESSAGES_FILE}` names them too',
  provider_batching: 'remove it: the program runs once for each attempt',
  log_dir: RECORDED,
  log_format: RECORDED,
  stream_log: RECORDED,
  verbose: 'remove it, and run `assay eval -v`',
  use_target: 'give this target the settings of the other one',
  fallback_targets: 'remove it: a failed call is made again `retries` times, on the same target',
  max_budget_usd: 'write it as `execution.budget_usd` of the suite',
}

/** The same for a target that has a `base_url`. */
export const FOREIGN_SERVICE_KEYS: Readonly<Record<string, string>> = {
  ...FOREIGN_TARGET_KEYS,
  endpoint: 'write it as `base_url`',
}

function named(names: readonly string[], hint: string): [string, string][] {
  return names.map(name => [name, hint])
}
