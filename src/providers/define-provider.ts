import type * as z from 'zod'
import type { Provider } from '../model/provider.ts'

/** What a provider of a user's module may omit: it is identified by its path. */
type ProviderDescription = Pick<Provider, 'type' | 'summary' | 'examples'>

/** Defines a provider. Infers the type of its fields from its schema. */
export function defineProvider<Schema extends z.ZodObject>(
  provider: Omit<Provider<z.output<Schema>>, 'config' | keyof ProviderDescription> &
    Partial<ProviderDescription> & { readonly config: Schema },
): Provider<z.output<Schema>> {
  return { type: '', summary: '', examples: [], ...provider }
}
