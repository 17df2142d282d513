import { lazily } from '../lib/lazily.ts'
import type * as z from '../lib/zod.ts'
import type { Provider } from '../model/provider.ts'

/** What a provider of a user's module may omit: it is identified by its path. */
type ProviderDescription = Pick<Provider, 'type' | 'summary' | 'examples'>

/** Defines a provider. Infers the type of its fields from its schema, which a function makes when it is first used. */
export function defineProvider<Schema extends z.ZodObject>({
  config,
  ...provider
}: Omit<Provider<z.output<Schema>>, 'config' | keyof ProviderDescription> &
  Partial<ProviderDescription> & { readonly config: Schema | (() => Schema) }): Provider<z.output<Schema>> {
  const schema = lazily(typeof config === 'function' ? config : () => config)
  return { type: '', summary: '', examples: [], ...provider, config: schema }
}
