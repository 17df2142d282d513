import type * as z from 'zod'
import type { Provider } from '../model/provider.ts'

/** What a provider may leave unsaid: the path of its module is a name too. */
type Described = Pick<Provider, 'type' | 'summary' | 'examples'>

/** A provider with the type of its fields inferred from its schema. */
export function defineProvider<Schema extends z.ZodObject>(
  provider: Omit<Provider<z.output<Schema>>, 'config' | keyof Described> &
    Partial<Described> & { readonly config: Schema },
): Provider<z.output<Schema>> {
  return { type: '', summary: '', examples: [], ...provider }
}
