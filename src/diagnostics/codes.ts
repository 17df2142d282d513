/**
 * Every mistake that the program can find in a file, in one closed table.
 * `shape`: the JSON Schema finds it too. `meaning`: it takes more than one file's shape to see it.
 */
export const CODES = {
  'file-missing': meaning(
    'A file that is named is not there.',
    'Correct the path. Relative paths start at the folder of the file that contains them, paths with a leading `/` at the repository root.',
  ),
  'file-unreadable': meaning(
    'A file is there but cannot be read: a folder, a link to itself, a file without permission, or one too large.',
    'Name a file that can be read.',
  ),
  'not-utf8': meaning('A file is not UTF-8.', 'Save it as UTF-8.'),
  'yaml-syntax': meaning(
    'A file is not YAML.',
    'Fix the syntax at the place shown. Most often it is the indentation, a missing quote, or a tab.',
  ),
  'json-syntax': meaning('A line of a .jsonl file is not JSON.', 'Write one JSON object per line.'),
  'duplicate-key': meaning(
    'A key is written twice in one mapping, so one of the two values would be lost.',
    'Remove one of them.',
  ),
  'unsafe-yaml': meaning(
    'A file uses YAML that could exhaust the machine or change the program: aliases that multiply or contain themselves, nesting that is too deep, a key `__proto__`.',
    'Write the data out plainly.',
  ),
  'second-document': meaning(
    'A YAML file holds more than one document.',
    'Keep one suite per file, without `---` between parts.',
  ),
  'missing-key': shape('A key that must be there is missing.', 'Add it.'),
  'unknown-key': shape(
    'A key that does not exist here. A misspelt check must not vanish, so this is an error.',
    'Correct its spelling, or begin it with `x-` where it is a note of your own on a suite or test.',
  ),
  'foreign-key': shape(
    'A key of another format that would change what is tested.',
    'Write it in the way that the hint shows.',
  ),
  'other-format': shape(
    'A file is a suite of another tool: prompts with placeholders, and tests whose `vars` fill them in.',
    'Write a test for each set of values, with the prompt filled in as its `input`; checks go below `assert`, providers into targets.yaml.',
  ),
  'wrong-type': shape('A value is of the wrong type.', 'Write a value of the type that is named.'),
  'out-of-range': shape(
    'A value is too small, too large, too short or too long.',
    'Stay within the limits that are named.',
  ),
  'bad-format': shape('A text does not have the form that is asked for.', 'Follow the form that is named.'),
  'bad-choice': shape('A value is none of those that are possible.', 'Choose one of those that are named.'),
  'two-spellings': shape('Two keys that cannot be used together are both there.', 'Keep one of them.'),
  'bad-input-files': shape(
    '`input_files` is used without an `input` that is a string.',
    'Write the files as `file` blocks of a message, or the `input` as a string.',
  ),
  'renamed-key': warning('A key under the name it has in another version of the format. It is read.', 'Rename it.'),
  'describing-key': warning(
    'A key that only describes is at the top level. It is not read.',
    'Move it into `metadata`.',
  ),
  'unquoted-version': warning(
    'The version is written as a number, which other readers of the file may round.',
    'Put it in quotes.',
  ),
  'no-name': warning('The suite has no name, so that of its folder or file is used.', 'Add a `name`.'),
  'no-criteria': warning(
    'A test has no `criteria`. Its checks grade it, but nobody can read what it is about.',
    'Say in `criteria` what makes an answer a good one.',
  ),
  'unread-sidecar': warning(
    'A suite imports a .jsonl file that has a sidecar. The settings of the suite apply, and those of the sidecar do not.',
    'Move the settings into the suite and remove the sidecar, or run the .jsonl file by itself.',
  ),
  'no-role': warning(
    'An `expected_output` looks like messages but is read as structured output: an item has `content` and no valid `role`, or a message is not in a list.',
    'Give every item of the list a `role`: `system`, `user`, `assistant` or `tool`.',
  ),
  'same-family': warning(
    'A judge is of the same model family as the target whose answers it judges, or the same target. Models favour answers like their own.',
    'Let a model of another family judge: name it as `judge_target`, with `--judge`, or call it `judge`.',
  ),
  'secret-is-a-name': warning(
    'A secret is also a name, or part of one: of a target, a provider, a suite, a test, a check, a skill or a file. Names are never redacted, so the value is shown in records, reports and on the screen.',
    'Use another value, or another name. A placeholder that protects nothing, such as `api_key: ollama`, can stay.',
  ),
  'unused-config': warning(
    'A check has a `config`, but its type reads none.',
    'Remove it, or write the fields beside `type`.',
  ),
  'nothing-grades': meaning(
    'A test has no `criteria`, no `rubrics` and no checks, so nothing can grade it. In `evals.json`, in trigger sets and for `assay transpile` this is a warning; a run records the answer, with an error in place of a verdict.',
    'Add `criteria`, `rubrics` or `assert`.',
  ),
  'no-tests': meaning('A suite has no tests.', 'Add `tests`, or put a .jsonl file of the same name beside it.'),
  'two-sidecars': meaning('A dataset has two sidecars, `NAME.yaml` and `NAME.eval.yaml`.', 'Keep one of them.'),
  'bad-import': meaning(
    'A file that `tests` names does not hold a list of tests.',
    'Keep only a list of tests in it, without further paths.',
  ),
  'duplicate-id': meaning('Two tests of one suite have the same id.', 'Give each its own.'),
  'duplicate-name': meaning('Two checks in one list, or two targets, have the same name.', 'Give each its own.'),
  'duplicate-rubric': meaning('Two rubrics of one test have the same id.', 'Give each its own.'),
  'bad-range': meaning('A range of scores ends before it begins.', 'Write the lower score first.'),
  'zero-weights': meaning('All weights are 0, so there is nothing to average.', 'Give at least one a weight above 0.'),
  'unknown-type': meaning(
    'A check has a type that is neither built in nor a judge of your own.',
    'Correct its spelling, or add a judge with this name to `.assay/judges`.',
  ),
  'unknown-provider': shape(
    'A target has a provider that does not exist.',
    'Correct its spelling, or give the path of a module.',
  ),
  'no-targets': meaning(
    'A suite is to run, but there is no targets file.',
    'Write `.assay/targets.yaml` beside the suite or above it; `assay init` writes a first one.',
  ),
  'unknown-skill': meaning(
    'A trigger set does not name its skill, and neither does anything around it.',
    'Name the file after the skill, `NAME.trigger-evals.json`, put it beside an `evals.json` with a `skill_name`, or keep it in the folder of the `SKILL.md` or in one below.',
  ),
  'unknown-target': meaning(
    'A target that is named is not in the targets file.',
    'Correct its spelling, or add it to the targets file.',
  ),
  'no-judge': meaning(
    'A check is judged by a model, but no target is there to judge.',
    'Add a target named `judge`, name one as `judge_target`, or with `--judge`.',
  ),
  'judge-cannot-look': meaning(
    'A check needs a judge that looks around in a folder, but the target that judges it cannot do that.',
    'Let a target judge it whose provider can look around, or use `llm_judge`.',
  ),
  'missing-variable': meaning(
    'A target that is in use needs a variable that is not set.',
    'Set it in the environment, or in a file `.env`.',
  ),
  'bad-provider': meaning(
    'A provider of your own cannot be used: the module does not load, or does not export a provider.',
    'Export what `defineProvider` gives as the default.',
  ),
  'not-available': meaning(
    'A suite is to run, but a check of it needs something that is not there.',
    'Install what is named, or select other tests.',
  ),
  'bad-target': meaning(
    'A setting of a target cannot be used, or settings do not go together: an invalid URL, two skills with the same name, skills without a separate configuration, a folder outside of the workspace.',
    'Change one of them.',
  ),
  'empty-prompt': meaning(
    'A test has no text of a user that could be the prompt of an eval.',
    'Give it one, or leave the test out.',
  ),
  'opposite-labels': meaning(
    'A query is to use a skill and to leave it alone: no description of the skill could satisfy both.',
    'Decide for one of them.',
  ),
  'same-file-name': meaning('Two skills would be written into the same file.', 'Rename one of them.'),
  unsaid: warning(
    'A test says something that evals.json has no words for. It is left out there.',
    'Keep EVAL.yaml as the source, or say it in the prompt or in a rubric.',
  ),
  'few-queries': warning(
    'A skill has fewer than two queries that should use it, or fewer than two that should not. Tools that improve its description split the set, and need both kinds in both parts.',
    'Add queries of the kind that is missing.',
  ),
  'long-integer': meaning(
    'An integer beyond 2^53 is written where its value counts: it would be read as another number, and equal its neighbours.',
    'Put it in quotes, and compare it as text.',
  ),
  'bad-regex': meaning(
    'A regular expression cannot be read.',
    'Fix it. Backslashes need no doubling in plain or single-quoted YAML.',
  ),
  'bad-json-schema': meaning(
    'A JSON Schema is not valid, or a part of it would not be checked: an unknown keyword or format, a keyword without effect, a reference that leads out of it.',
    'Correct it at the place shown.',
  ),
  'bad-arguments': meaning('The `arguments` of a tool call are not JSON.', 'Write them as a string of JSON.'),
  'unknown-variable': meaning(
    'A prompt of a judge, or a target, uses a variable or placeholder that does not exist. In a target this is a warning where the word is not close to a placeholder.',
    'Correct its spelling, or write `\\{{` for braces that are meant as such in the prompt of a judge.',
  ),
  'unknown-name': meaning(
    'An aggregator names a check that is not there.',
    'Use the `name` of one of the checks inside.',
  ),
  'unknown-path': meaning(
    'A path does not exist in the expected output of the test.',
    'Correct it, or complete the `expected_output`.',
  ),
  'unread-setting': meaning(
    'A setting is given that the chosen way to compare does not read, so that it would change nothing.',
    'Choose the way that reads it, or remove it.',
  ),
  'bad-date-format': meaning(
    'A form of dates cannot be read.',
    'Use one year, one month and one day: `YYYY` or `YY`, `MM`, `M`, `MMM` or `MMMM`, `DD` or `D`.',
  ),
  'bad-expected': meaning(
    'An expected value cannot be compared in the way that the check asks for: it is not a number, not a date, or a date that could be two days.',
    'Correct the `expected_output`, compare it in another way, or say in `formats` how dates are written.',
  ),
} as const satisfies Record<string, CodeEntry>

export type DiagnosticCode = keyof typeof CODES

export type Severity = 'error' | 'warning'

export interface CodeEntry {
  readonly kind: 'shape' | 'meaning'
  readonly severity: Severity
  readonly summary: string
  readonly fix: string
}

function shape(summary: string, fix: string): CodeEntry {
  return { kind: 'shape', severity: 'error', summary, fix }
}

function meaning(summary: string, fix: string): CodeEntry {
  return { kind: 'meaning', severity: 'error', summary, fix }
}

/** A warning is never about shape: the JSON Schema would make an error of it. */
function warning(summary: string, fix: string): CodeEntry {
  return { kind: 'meaning', severity: 'warning', summary, fix }
}
