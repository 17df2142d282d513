import type { Provider } from '../../src/model/provider.ts'
import { fieldsTables, type JsonSchema } from './fields-table.ts'
import { yamlExample } from './yaml-example.ts'

/** The reference page of targets.yaml. */
export function targetsPage(providers: readonly Provider[], schema: JsonSchema): string {
  const definitions = schema.definitions ?? {}
  const all = Object.values(definitions).map(({ properties = {} }) => properties)
  const common = Object.keys(all[0] ?? {}).filter(name => name !== 'provider' && all.every(fields => name in fields))
  const commonSchema = {
    properties: Object.fromEntries(common.map(name => [name, all[0]?.[name] ?? {}])),
    required: ['name'],
  }
  return `${[
    '# targets.yaml',
    'The targets that suites name. `${{ NAME }}` in a text is filled from the environment, then from `.env` files beside the suite and above.',
    '## Fields of every target',
    fieldsTables(commonSchema),
    ...providers.flatMap(({ type, summary, examples, looks }) => [
      `## ${type}`,
      summary,
      ...(looks ? ['As a judge it can look around: see [agent_judge](evaluators/agent_judge.md).'] : []),
      fieldsTables(definitions[`target_${type}`] ?? {}, [...common, 'provider']),
      ...examples.map(({ title, target }) => `${title}:\n\n${yamlExample({ targets: [target] })}`),
    ]),
  ].join('\n\n')}\n`
}
