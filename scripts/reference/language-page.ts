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
    'A suite is one YAML file: `EVAL.yaml`, or a name that ends in `.eval.yaml`. Paths in it start at its folder; paths with a leading `/` start at the root of the repository. Keys that begin with `x-` are yours.',
    '## Suite',
    fieldsTable(schema),
    '## Execution',
    fieldsTable(test?.properties?.['execution'] ?? {}),
    '## Test',
    fieldsTable(test ?? {}),
    '## Messages',
    ...(message?.oneOf ?? message?.anyOf ?? []).map(role => fieldsTable(role)),
    'A call is `{id, type: function, function: {name, arguments}}`, or in short `{tool, input, output}`: an `output` is the same as a `tool` message after it.',
    '## Blocks',
    ...(block?.oneOf ?? block?.anyOf ?? []).map(type => fieldsTable(type)),
    '## Rubrics',
    'A text, or a mapping:',
    fieldsTable((rubric?.anyOf ?? []).find(option => option.properties) ?? {}),
    '## Checks',
    'The entries of `assert`, which may also be called `assertions` or `evaluators`. An entry that is only a text is a rubric. Each type has [fields of its own](README.md#evaluators); these are common to all:',
    fieldsTable({
      properties: Object.fromEntries(checkProperties.map(([name, field]) => [name, name === 'type' ? TYPE : field])),
      required: ['type'],
    }),
  ].join('\n\n')}\n`
}

const TYPE: JsonSchema = {
  type: 'string',
  description: 'Which evaluator. `_` and `-` are the same. A name that is not built in is a judge in `.assay/judges`.',
}
