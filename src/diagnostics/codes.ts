import { CHECK_CODES } from './check-codes.ts'
import { type CodeEntry, meaning, shape, warning } from './code-entry.ts'
import { SKILL_CODES } from './skill-codes.ts'
import { VARIABLE_CODES } from './variable-codes.ts'

/**
 * Every diagnostic that the program can report, in one closed table.
 * `shape`: the JSON Schema finds it too. `meaning`: only the program finds it.
 */
export const CODES = {
  'file-missing': meaning(
    'A file that a suite, a test or a target names does not exist.',
    'Correct the path. Relative paths start at the folder of the file that contains them; paths with a leading `/` start at the repository root.',
  ),
  'file-unreadable': meaning(
    'A file exists but cannot be read: it is a folder, a circular link, too large, or not readable with your permissions.',
    'Use the path of a readable file.',
  ),
  'not-utf8': meaning('A file is not valid UTF-8.', 'Save it as UTF-8.'),
  'yaml-syntax': meaning(
    'A file is not valid YAML.',
    'Fix the syntax at the reported location. The usual causes are wrong indentation, a missing quote, and tabs.',
  ),
  'json-syntax': meaning(
    'A line of a .jsonl file, or a baseline, is not valid JSON.',
    'Write one JSON object per line; save the baseline again.',
  ),
  'duplicate-key': meaning(
    'A mapping contains the same key twice, so one of the two values would be lost.',
    'Remove one of them.',
  ),
  'unsafe-yaml': meaning(
    'A file uses YAML that could exhaust memory or tamper with the program: aliases that multiply or contain themselves, nesting beyond the limit, or the key `__proto__`.',
    'Write the values out instead of using aliases, reduce the nesting, or rename the key.',
  ),
  'second-document': meaning(
    'A YAML file contains more than one document.',
    'Keep one document per file: remove the `---` line, or move the second document to its own file.',
  ),
  'baseline-conflict': meaning(
    'A baseline has conflict markers of git.',
    'Merge the other branch, run the suites, and save the baseline again: `assay baseline save` replaces the file.',
  ),
  'baseline-version': meaning(
    'A baseline has a format that this version of Assay does not read.',
    'Save it again with this version, or use the version that saved it.',
  ),
  'duplicate-result': meaning(
    'A baseline has two results of the same test on the same target, often after a merge.',
    'Save the baseline again.',
  ),
  'missing-key': shape('A required key is missing.', 'Add it.'),
  'unknown-key': shape(
    'A key is not part of the format. This is an error, so that a misspelt check is never ignored.',
    'Correct the spelling. In a suite or test, begin the key with `x-` to keep a note of your own.',
  ),
  'foreign-key': shape(
    'A key belongs to another format and would change what is tested.',
    'Write it as the hint shows.',
  ),
  'other-format': shape(
    'A file is a suite of another tool: prompts with placeholders, and tests whose `vars` fill them in.',
    'Write one test for each set of values, with the filled-in prompt as its `input`. Write assertions as `assert`, and providers as targets in targets.yaml.',
  ),
  'wrong-type': shape('A value has the wrong type.', 'Use a value of the type that the message names.'),
  'out-of-range': shape(
    'A value is too small, too large, too short or too long.',
    'Use a value within the limits that the message names.',
  ),
  'bad-format': shape('A string does not have the required format.', 'Use the format that the message describes.'),
  'bad-choice': shape('A value is not one of the allowed values.', 'Use one of the values that the message lists.'),
  'two-spellings': shape('Two keys that exclude each other are used together.', 'Keep one of them.'),
  'bad-input-files': shape(
    '`input_files` is not a list of paths, or is used without a string `input`.',
    'Write `input` as a string, or write the files as `file` blocks of a message.',
  ),
  'renamed-key': warning(
    'A key has its name from another version of the format. It is read under its current name.',
    'Rename it.',
  ),
  'describing-key': warning(
    'A descriptive key is at the top level of the suite, where it is ignored.',
    'Move it into `metadata`.',
  ),
  'unquoted-version': warning('The version is written as a number, which other tools may round.', 'Put it in quotes.'),
  'no-name': warning('The suite has no name, so it is named after its folder or file.', 'Add a `name`.'),
  'no-criteria': warning(
    'A test has no `criteria`. Its checks grade it, but no text explains what makes an answer good.',
    'Describe a good answer in `criteria`.',
  ),
  'unread-sidecar': warning(
    'A suite imports a .jsonl file that has a sidecar. The settings of the suite apply; those of the sidecar are ignored.',
    'Move the settings into the suite and remove the sidecar, or run the .jsonl file directly.',
  ),
  'no-role': warning(
    'An `expected_output` looks like messages but is read as structured output: an item has `content` but no valid `role`, or a single message is not in a list.',
    'Write a list in which every item has a `role`: `system`, `user`, `assistant` or `tool`.',
  ),
  'same-family': warning(
    'A judge belongs to the same model family as the target whose answers it judges, or is the same target. Models favour answers like their own.',
    'Use a judge of another family: set `judge_target`, pass `--judge`, or name a target `judge`.',
  ),
  'never-applies': warning(
    'A check applies to no target of its tests, so it is never graded.',
    'Name a target that the tests run on in `applies_to`, or remove the check.',
  ),
  'secret-is-a-name': warning(
    'A secret is equal to a name or part of one: of a target, a provider, a suite, a test, a check, a skill or a file. Names are never redacted, so the value appears in records, in reports and on the terminal.',
    'Change the value or the name. A placeholder that protects nothing, such as `api_key: ollama`, can stay.',
  ),
  'unused-config': warning(
    'A check has a `config`, but its type does not use it.',
    'Remove it, or write its fields beside `type`.',
  ),
  'nothing-grades': meaning(
    'A test has no `criteria`, no `rubrics` and no checks, so it cannot be graded. In `evals.json`, in trigger sets and for `assay transpile` this is a warning; a run records the answer with an error instead of a verdict.',
    'Add `criteria`, `rubrics` or `assert`.',
  ),
  'no-tests': meaning('A suite has no tests.', 'Add `tests`, or put a .jsonl file of the same name beside the suite.'),
  'two-sidecars': meaning('A dataset has two sidecars, such as `NAME.yaml` and `NAME.eval.yaml`.', 'Keep one of them.'),
  'bad-import': meaning(
    'Tests cannot be imported: a file does not contain a list of tests, is imported twice, or names further files.',
    'Keep only a list of tests in each imported file, and name every file once, in the suite.',
  ),
  'bad-case': meaning(
    'A case of plugin evals cannot be used: its prompt is empty, it is not in a folder of its own, it names a file outside of its folder, or a session that it names has no messages.',
    'Correct it as the hint shows.',
  ),
  'duplicate-id': meaning(
    'Two tests of one suite have the same id, or two suites of the same name take a test from the same file for the same target.',
    'Give each test its own id, and each suite its own name.',
  ),
  'duplicate-name': meaning(
    'Two checks of one list, two targets, two variants, or two judges of one panel have the same name.',
    'Give each its own name.',
  ),
  'duplicate-rubric': meaning('Two rubrics of one test have the same id.', 'Give each rubric its own id.'),
  'bad-range': meaning(
    'A range of scores or counts ends before it begins, or allows every count.',
    'Write the lower number first, and at least one bound that can be missed.',
  ),
  'zero-weights': meaning('All weights are 0, so no average can be computed.', 'Set at least one weight above 0.'),
  'expired-quarantine': meaning(
    'The quarantine of a test has ended: `until` is a day in the past.',
    'Fix the test and remove `quarantine`, or choose a later day.',
  ),
  'nothing-applies': meaning(
    'A target is in use, but no test of the suite has a check that applies to it.',
    'Remove the target from the run, or add a check that applies to it.',
  ),
  'missing-skill': meaning(
    'A check is about a skill that no target of its tests has, so it is never graded. With `--target`, it is a warning.',
    'Correct the name of the skill, or add the skill to a target.',
  ),
  'unknown-type': meaning(
    'A check has a type that is neither built in nor a custom judge.',
    'Correct the spelling, or add a judge with this name to `.assay/judges`.',
  ),
  'unknown-provider': shape('A target has an unknown provider.', 'Correct the spelling, or use the path of a module.'),
  'no-targets': meaning(
    'No targets file was found for a suite.',
    'Create `.assay/targets.yaml` beside the suite or in a folder above it; `assay init` creates one.',
  ),
  'unknown-skill': meaning(
    'A trigger set does not name its skill, and the files around it do not name it either.',
    'Name the file after the skill (`NAME.trigger-evals.json`), put it beside an `evals.json` with a `skill_name`, or keep it in the folder of the `SKILL.md` or one level below.',
  ),
  'unknown-target': meaning(
    'The targets file does not define a target that is named.',
    'Correct the spelling, or add the target to the targets file.',
  ),
  'no-comparison': meaning(
    'A control arm or an answer has nothing to be compared with: the control arm is the only target of a test, `--ablate` names a field that a target does not have, or a `pairwise` check has no criteria or no other answer.',
    'Name the other arms as well, or name another control arm; give a `pairwise` check criteria, and another answer that exists.',
  ),
  'no-judge': meaning(
    'A check is graded by a model, but no target is set as its judge.',
    'Add a target named `judge`, set `judge_target`, or pass `--judge`.',
  ),
  'no-workspace': meaning(
    'A check looks at the files of a workspace, or `setup` or `teardown` should run in it, but the target has none.',
    'Add `workspace: DIR` to the target, a folder that is copied for each attempt; remove the commands, or limit the check to other targets with `applies_to`.',
  ),
  'judge-cannot-look': meaning(
    'A check needs a judge that can explore a folder, but the target that judges it cannot.',
    'Use a judge whose provider can explore folders, or use `llm_judge`.',
  ),
  'target-cannot-embed': meaning(
    'A check compares embeddings of texts, but the target that it names has no model for embeddings.',
    'Use a target whose provider has such models, with one of them as its `model`.',
  ),
  'missing-variable': meaning(
    'A target uses a variable that is not set, or a test uses one that has no value: in its `vars`, in its row, or in the `vars` of the suite.',
    'For a target, set it in the environment or in a `.env` file. For a test, define it in `vars`, or write `\\{{name}}` for the text itself.',
  ),
  'bad-provider': meaning(
    'A custom provider cannot be used: its module does not load, or does not export a provider.',
    'Make the result of `defineProvider` the default export of the module.',
  ),
  'not-available': meaning(
    'A check or a target needs a program or package that is not installed, or another operating system.',
    'Install what the message names, or select other tests or targets.',
  ),
  'bad-target': meaning(
    'The settings of a target are invalid or contradict each other: an invalid URL, two skills with the same name, skills without a separate configuration, a folder outside the workspace, a sandbox without a workspace, a target that extends itself.',
    'Change one of the settings.',
  ),
  'empty-prompt': meaning(
    'A test has no user message with text, so it cannot be written as an eval with a prompt.',
    'Add a text to a user message, or remove the test.',
  ),
  'opposite-labels': meaning(
    'The same query both should and should not trigger a skill. No description of the skill can satisfy both.',
    'Keep one of the two.',
  ),
  'same-file-name': meaning('Two skills would be written to the same file.', 'Rename one of them.'),
  unsaid: warning(
    'A suite uses a feature that evals.json or plugin evals cannot express. The feature is left out of the files.',
    'Keep EVAL.yaml as the source, or describe the requirement in the prompt or in a rubric.',
  ),
  'few-queries': warning(
    'A skill has fewer than two queries that should trigger it, or fewer than two that should not. Tools that improve its description split the set, and need both kinds in each part.',
    'Add queries of the missing kind.',
  ),
  'long-integer': meaning(
    'An integer beyond 2^53 is used where its exact value matters. It may be rounded, and then equals neighbouring integers.',
    'Put it in quotes and compare it as text.',
  ),
  'bad-regex': meaning(
    'A regular expression is invalid.',
    'Fix the pattern. In plain or single-quoted YAML, backslashes are not doubled.',
  ),
  'bad-path': meaning(
    'A path or glob of a check cannot match a file in the workspace: it is absolute, contains `..`, or uses syntax that is not supported.',
    'Write a path relative to the workspace, with `/` between folders. Wildcards are `*`, `?`, `[abc]`, `{a,b}` and `**`.',
  ),
  'bad-json-schema': meaning(
    'A JSON Schema is invalid, or part of it would not be checked: an unknown keyword or format, a keyword without effect, a reference to another document.',
    'Fix the schema at the reported location.',
  ),
  'bad-arguments': meaning('The `arguments` of a tool call are not valid JSON.', 'Write them as a JSON string.'),
  'unknown-variable': meaning(
    'The prompt of a judge, or a target, uses an unknown variable or placeholder. In a target this is a warning if the word does not resemble a placeholder.',
    'Correct the spelling. In the prompt of a judge, write `\\{{` for literal braces.',
  ),
  'unknown-name': meaning(
    'An aggregator names a check that does not exist.',
    'Use the `name` of one of the checks in the composite.',
  ),
  'unknown-path': meaning(
    'A path does not exist in the expected values of the test.',
    'Correct the path, or add the missing value.',
  ),
  'unread-setting': meaning(
    'A setting has no effect with the chosen comparison or state.',
    'Choose a comparison that uses the setting, or remove the setting.',
  ),
  'bad-date-format': meaning(
    'A date format is invalid.',
    'Use one year (`YYYY` or `YY`), one month (`MM`, `M`, `MMM` or `MMMM`) and one day (`DD` or `D`).',
  ),
  'bad-expected': meaning(
    'An expected value cannot be compared as the check requires: it is not a number, not a date, or an ambiguous date.',
    'Correct the `expected_output`, choose another comparison, or name the date format in `formats`.',
  ),
  'bad-mock': meaning(
    'A mocked server cannot be used: an argument is both required and optional, a number is not finite, or its folder has no tools, a file in it does not belong to a tool, a name is not allowed, or a tool is answered by a model (`type: agent`).',
    'Give each tool a file with its answer, as the hint shows.',
  ),
  'unsupported-setting': meaning(
    'A test or its suite has a setting in `execution.agent` that a target of the test does not support.',
    'Remove the setting, or choose another target. `claude_cli` supports all settings; `codex_cli` supports `model`, `max_turns` and `env`.',
  ),
  'cannot-mock': meaning(
    'A test has mocked servers, but its target cannot connect to MCP servers.',
    'Use a target with the provider `cli`, `claude_cli` or `codex_cli`, or a custom provider that declares `mcp: true`.',
  ),
  'unknown-mock': meaning(
    'A check looks at a mocked server that its test does not have.',
    'Correct the name of the server, or add it to `mocks` of the test or its suite.',
  ),
  'bad-template': meaning(
    'A template or path of a mock is invalid, or refers to an argument or a part of the state that cannot exist.',
    'Correct it. Templates begin with `state` or `input`; paths of `set` start in the state. Write `\\{{` for literal braces.',
  ),
  ...VARIABLE_CODES,
  ...SKILL_CODES,
  ...CHECK_CODES,
} as const satisfies Record<string, CodeEntry>

export type DiagnosticCode = keyof typeof CODES

export type { CodeEntry, Severity } from './code-entry.ts'
