/** What becomes of a key that belongs to another version of the format, or to another format. The list is closed. */
export type ForeignKey =
  | { readonly kind: 'renamed'; readonly to: string }
  | { readonly kind: 'describes' }
  | { readonly kind: 'refused'; readonly hint: string }

type ForeignKeys = ReadonlyMap<string, ForeignKey>

const DESCRIBES: ForeignKey = { kind: 'describes' }

const TURNS = 'write earlier turns as messages of `input`, or tests that share a `conversation_id`'

const REFUSED_EVERYWHERE: [string, ForeignKey][] = [
  ['workspace', refused('a workspace belongs to a target: `workspace` in targets.yaml')],
  ['dataset', refused('write `tests: ./cases.jsonl`')],
  ['vars', refused('tests have no variables: write the values out, or make a .jsonl with a script')],
  ['providers', refused('write targets in targets.yaml, and name one in `execution.target`')],
  ['prompts', refused('write each prompt as the `input` of a test')],
  ['turns', refused(TURNS)],
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
  ['targets', refused('`execution.targets` lists them; a file of targets is called targets.yaml')],
  ['input', refused('there is no `input` for all tests: give each test its own')],
  ['input_files', refused('there are no `input_files` for all tests: give each test its own')],
])

export const FOREIGN_TEST_KEYS: ForeignKeys = new Map<string, ForeignKey>([
  ['input_messages', { kind: 'renamed', to: 'input' }],
  ['expected_messages', { kind: 'renamed', to: 'expected_output' }],
  ['expected_outcome', { kind: 'renamed', to: 'criteria' }],
  ...REFUSED_EVERYWHERE,
  ['tags', refused('write them as `metadata.tags`')],
])

function refused(hint: string): ForeignKey {
  return { kind: 'refused', hint }
}
