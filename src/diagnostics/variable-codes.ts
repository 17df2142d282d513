import { type CodeEntry, meaning, warning } from './code-entry.ts'

/** The diagnostics of variables, rows and variants. */
export const VARIABLE_CODES = {
  'bad-variants': meaning(
    'Variants of a suite cannot be used: two of them are the control, the control is the only one, a target is the control as well, or a test has messages or files that a variant cannot contain.',
    'Correct it as the hint shows.',
  ),
  'ambiguous-variable': meaning(
    'A template could be filled in with two values: the prompt of a judge uses a variable of judges, and the test has a variable of the same name.',
    'Rename the variable of the test.',
  ),
  'unused-variable': warning(
    'A variable has a value, but no test uses it. The name in a template may be misspelt.',
    'Write `{{name}}` where its value should be, or remove it.',
  ),
  'bad-rows': meaning(
    'The rows of a test cannot be read: a file has an unsupported extension, no rows, invalid CSV, or a row that is not a mapping or has an empty id.',
    'Use a .csv file with a header, a .jsonl file with one JSON object per line, or a list of mappings.',
  ),
} as const satisfies Record<string, CodeEntry>
