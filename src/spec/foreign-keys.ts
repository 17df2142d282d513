import { suiteNameOf } from './suite-name.ts'

/** What becomes of a key that belongs to another version of the format, or to another format. The list is closed. */
export type ForeignKey =
  | { readonly kind: 'renamed'; readonly to: string }
  | { readonly kind: 'describes' }
  | {
      readonly kind: 'refused'
      readonly hint: string | ((value: unknown) => string)
      /** The key that it most likely means. */
      readonly means?: string
    }

type ForeignKeys = ReadonlyMap<string, ForeignKey>

const DESCRIBES: ForeignKey = { kind: 'describes' }

const TURNS = 'write earlier turns as messages of `input`, or tests that share a `conversation_id`'

const REFUSED_EVERYWHERE: [string, ForeignKey][] = [
  ['workspace', refused('a workspace belongs to a target: `workspace` in targets.yaml')],
  ['vars', refused('tests have no variables: write the values out, or make a .jsonl with a script')],
  ['providers', refused('write targets in targets.yaml, and name one in `execution.target`')],
  ['prompts', refused('write each prompt as the `input` of a test')],
  ['turns', refused(TURNS)],
  ['target', refused('write it as `execution.target`')],
  ['trials', refused('write it as `execution.trials`')],
  ['timeout_seconds', refused('write it as `execution.timeout_seconds`')],
  ['evaluator', refused('write it as a check below `assert`: `- type: llm_judge`')],
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
  ['dataset', { kind: 'refused', hint: datasetHint, means: 'name' }],
  ['targets', refused('`execution.targets` lists them; a file of targets is called targets.yaml')],
  ['input', refused('there is no `input` for all tests: give each test its own')],
  ['input_files', refused('there are no `input_files` for all tests: give each test its own')],
])

export const FOREIGN_TEST_KEYS: ForeignKeys = new Map<string, ForeignKey>([
  ['input_messages', { kind: 'renamed', to: 'input' }],
  ['expected_messages', { kind: 'renamed', to: 'expected_output' }],
  ['expected_outcome', { kind: 'renamed', to: 'criteria' }],
  ...REFUSED_EVERYWHERE,
  ['dataset', refused('a dataset belongs to the suite: `tests: ./cases.jsonl`')],
  ['reference_answer', refused('write it as `expected_output`')],
  ['tags', refused('write them as `metadata.tags`')],
])

const OF_THE_JUDGE = 'it belongs to the target that judges: write it there, in targets.yaml'

/** What to write instead of keys that other formats give to a check that a model judges. */
export const FOREIGN_JUDGE_KEYS: Readonly<Record<string, string>> = {
  temperature: OF_THE_JUDGE,
  max_tokens: OF_THE_JUDGE,
  model: 'name the target that judges as `target`',
  provider: 'name the target that judges as `target`',
}

function refused(hint: string): ForeignKey {
  return { kind: 'refused', hint }
}

/** The name of a suite in some formats, the path of its tests in others. */
function datasetHint(value: unknown): string {
  if (typeof value !== 'string') return 'write `tests: ./cases.jsonl`'
  if (/[\\/]|\.(jsonl?|ya?ml|csv)$/.test(value)) return `write the path as \`tests\`: \`tests: ${value}\``
  return `the name of a suite is called \`name\`: write \`name: ${suiteNameOf(value, 'my-suite')}\``
}
