import { checkFields } from '../../src/model/check.ts'
import { fieldsTable, type JsonSchema } from './fields-table.ts'

/** The reference page of EVAL.yaml. */
export function languagePage(schema: JsonSchema): string {
  const { test, message, block, rubric, check_contains: check } = schema.definitions ?? {}
  const checkProperties = Object.entries(check?.properties ?? {}).filter(
    ([name]) => name === 'type' || name in checkFields,
  )
  return `${[
    '# EVAL.yaml',
    'A suite is a YAML file named `EVAL.yaml` or `NAME.eval.yaml`. Relative paths start at its folder; paths with a leading `/` start at the repository root. Keys that begin with `x-` are ignored: use them for your own data.',
    '## Suite',
    fieldsTable(schema),
    '## Execution',
    fieldsTable(test?.properties?.['execution'] ?? {}),
    '## Test',
    fieldsTable(test ?? {}),
    '## Messages',
    ...variantTables(message, 'role'),
    'Write a tool call as `{id, type: function, function: {name, arguments}}`, or in short as `{tool, input, output}`. An `output` has the same effect as a `tool` message after the call.',
    '## Blocks',
    ...variantTables(block, 'type'),
    '## Rubrics',
    'Write a rubric as a string, or as a mapping with these fields:',
    fieldsTable((rubric?.anyOf ?? []).find(option => option.properties) ?? {}),
    '## Checks',
    'Checks are the entries of `assert`, which has the aliases `assertions` and `evaluators`. An entry that is a string is a rubric. Each type has [its own fields](README.md#evaluators); these fields are common to all types:',
    fieldsTable({
      properties: Object.fromEntries(checkProperties.map(([name, field]) => [name, name === 'type' ? TYPE : field])),
      required: ['type'],
    }),
  ].join('\n\n')}\n`
}

/** Tables of the variants of a schema, each under the value of the key that distinguishes it. */
function variantTables(schema: JsonSchema | undefined, key: string): string[] {
  return (schema?.oneOf ?? schema?.anyOf ?? []).flatMap(variant => [
    `### \`${key}: ${variant.properties?.[key]?.const}\``,
    fieldsTable(variant),
  ])
}

const TYPE: JsonSchema = {
  type: 'string',
  description:
    'Type of the check: an evaluator, or the name of a judge in `.assay/judges`. `_` and `-` are interchangeable.',
}
