import { spellingsOf } from '../../src/evaluators/lookup.ts'
import { checkFields } from '../../src/model/check.ts'
import type { Evaluator } from '../../src/model/evaluator.ts'
import { fieldsTables, type JsonSchema } from './fields-table.ts'
import { yamlExample } from './yaml-example.ts'

/** The reference page of one evaluator. */
export function evaluatorPage(evaluator: Evaluator, schema: JsonSchema): string {
  const definition = schema.definitions?.[`check_${evaluator.type}`] ?? {}
  const own = evaluator.contains_checks ? [] : Object.keys(evaluator.config().shape)
  const common = Object.keys(checkFields()).filter(name => !own.includes(name))
  const otherNames = spellingsOf(evaluator).slice(1)
  const examples = evaluator.examples.map(({ title, check, expected_output: expected }) => {
    const test = { assert: [check], ...(expected === undefined ? {} : { expected_output: expected }) }
    return `${title}:\n\n${yamlExample(test)}`
  })
  return `${[
    `# ${evaluator.type}`,
    evaluator.summary,
    ...(evaluator.notes ?? []),
    ...(otherNames.length > 0 ? [`Other spellings: ${otherNames.map(name => `\`${name}\``).join(', ')}.`] : []),
    '## Fields',
    fieldsTables(definition, ['type', ...common]),
    `Every check also accepts ${common.map(name => `\`${name}\``).join(', ')}: see [checks](../language.md#checks).`,
    `## Example${examples.length > 1 ? 's' : ''}`,
    ...examples,
  ].join('\n\n')}\n`
}
