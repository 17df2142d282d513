import type { Config } from '../../src/spec/config.ts'
import { fieldsTable, type JsonSchema } from './fields-table.ts'
import { yamlExample } from './yaml-example.ts'

/** The reference page of config.yaml. */
export function configPage(schema: JsonSchema): string {
  return `${[
    '# config.yaml',
    '`.assay/config.yaml` has defaults for options of the command line, which wins over them. It is read in the nearest `.assay` from the current folder up to the root of the repository. Every field may be left out.',
    fieldsTable(schema),
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
