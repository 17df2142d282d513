import { checkFields } from '../../src/model/check.ts'
import { fieldsTable, type JsonSchema } from './fields-table.ts'

/** The reference page of EVAL.yaml. */
export function languagePage(schema: JsonSchema): string {
  const { test, message, block, rubric, check_contains: check } = schema.definitions ?? {}
  const [variant] = [schema.properties?.['variants']?.items ?? []].flat()
  const checkProperties = Object.entries(check?.properties ?? {}).filter(
    ([name]) => name === 'type' || name in checkFields(),
  )
  return `${[
    '# EVAL.yaml',
    'A suite is a YAML file named `EVAL.yaml` or `NAME.eval.yaml`. Relative paths start at its folder; paths with a leading `/` start at the repository root. Keys that begin with `x-` are ignored: use them for your own data.',
    '## Suite',
    fieldsTable(schema),
    '## Variants',
    'Each variant on each target is an arm: see [compare several prompts](../guide/variables.md#compare-several-prompts).',
    fieldsTable(variant ?? {}),
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
    '### Checks for some targets',
    'With several targets, `applies_to` names those that a check is for:',
    APPLIES_TO,
    'On any other target the check is not applicable. It is not graded and no judge is asked, it neither passes nor fails, and it has no weight; `required`, `negate` and gates ignore it. Reports show it as `n/a`, and comparisons with another target leave it out on both sides. A `composite` is not applicable if none of its checks applies.',
    'Names are those of the targets file; a name that it does not define is an error, and there are no wildcards. A check without `applies_to` applies to every target, except that a [`trigger_judge`](evaluators/trigger_judge.md) does not apply to a target that is known not to have the skill.',
    'A test does not run on a target that none of its checks applies to; the plan and the summary count such tests. If that leaves a target without any test of the suite, the run does not start.',
  ].join('\n\n')}\n`
}

/** Tables of the variants of a schema, each under the value of the key that distinguishes it. */
function variantTables(schema: JsonSchema | undefined, key: string): string[] {
  return (schema?.oneOf ?? schema?.anyOf ?? []).flatMap(variant => [
    `### \`${key}: ${variant.properties?.[key]?.const}\``,
    fieldsTable(variant),
  ])
}

const APPLIES_TO = `\`\`\`yaml
name: report
execution:
  targets: [with-skill, without-skill]
tests:
  - id: sums-up
    criteria: Sums up the sales
    input: Sum up sales.csv
    assert:
      - { type: contains, value: "Total:" }
      - { type: starts_with, value: "# Report", applies_to: [with-skill] }
\`\`\``

const TYPE: JsonSchema = {
  type: 'string',
  description:
    'Type of the check: an evaluator, or the name of a judge in `.assay/judges`. `_` and `-` are interchangeable.',
}
