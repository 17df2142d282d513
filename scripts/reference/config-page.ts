import type { Config } from '../../src/spec/config.ts'
import { fieldsTable, type JsonSchema } from './fields-table.ts'
import { yamlExample } from './yaml-example.ts'

/** The reference page of config.yaml. */
export function configPage(schema: JsonSchema): string {
  return `${[
    '# config.yaml',
    'Set defaults for command-line options in `.assay/config.yaml`. Options on the command line take precedence. Assay reads the file in the nearest `.assay` folder, from the current folder up to the repository root. All fields are optional.',
    fieldsTable(schema),
    '## Example',
    yamlExample(EXAMPLE),
  ].join('\n\n')}\n`
}

const EXAMPLE: Config = {
  target: 'my-agent',
  judge: 'strict',
  workers: 8,
  timeout_seconds: 120,
  eval_patterns: ['evals/**/*.yaml', '!evals/drafts/**'],
}
