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
    'A targets file defines the agents and models that answer tests and judge answers. `${{ NAME }}` in a string is replaced with the variable from the environment or, if it is not set there, from a `.env` file beside the suite or in a folder above it.',
    '## Fields of every target',
    fieldsTables(commonSchema),
    ...providers.flatMap(({ type, summary, examples, looks }) => [
      `## ${type}`,
      summary,
      ...(looks ? ['As a judge, it can explore folders: see [agent_judge](evaluators/agent_judge.md).'] : []),
      fieldsTables(definitions[`target_${type}`] ?? {}, [...common, 'provider']),
      ...examples.map(({ title, target }) => `${title}:\n\n${yamlExample({ targets: [target] })}`),
    ]),
  ].join('\n\n')}\n`
}
