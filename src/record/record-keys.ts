/** Keys whose values are names, hashes, times and paths. Redacting them would make the record useless. */
const kept = new Set([
  ...[
    'schema_version',
    'run_id',
    'attempt_id',
    'request_id',
    'test_hash',
    'shared_hash',
    'target_hash',
    'timestamp',
    'verdict',
  ],
  ...['input_hash', 'checks_hash', 'judges_hash', 'test_files'],
  ...['suite', 'file', 'test_id', 'conversation_id', 'tags', 'target', 'provider', 'worker'],
  ...['root', 'started', 'previous', 'source', 'git_commit', 'plan_id', 'suites', 'target_files', 'judge_hashes'],
  ...['options', 'attempts', 'reruns', 'changed', 'written', 'resumes'],
])

/** Keys whose values contain texts of agents, judges or tests. */
const free = new Set(['input', 'output', 'details', 'metadata', 'value', 'expected_output'])

const counted = new Set(['token_usage', 'judge_usage'])

/** The parts of records that are redacted. */
export const RECORD_KEYS = { kept, counted, free }
