import type * as z from 'zod'
import type { Provider } from '../model/provider.ts'

/** Members with a default: the path of a module can serve as the type. */
type Described = Pick<Provider, 'type' | 'summary' | 'examples'>

/** Defines a provider; the type of its fields is inferred from its schema. */
export function defineProvider<Schema extends z.ZodObject>(
  provider: Omit<Provider<z.output<Schema>>, 'config' | keyof Described> &
    Partial<Described> & { readonly config: Schema },
): Provider<z.output<Schema>> {
  return { type: '', summary: '', examples: [], ...provider }
}
