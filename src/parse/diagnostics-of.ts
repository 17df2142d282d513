import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Host } from '../model/host.ts'
import type { Origin } from '../model/location.ts'
import { Files } from './files.ts'
import { type Mistake, Mistakes } from './mistakes.ts'

/** What a later stage has to say about files, with the lines where it stands. */
export async function diagnosticsOf(
  found: readonly (Mistake & { readonly at: Origin })[],
  host: Host,
): Promise<readonly Diagnostic[]> {
  const mistakes = new Mistakes()
  const files = new Files(host, mistakes)
  for (const mistake of found) {
    await files.read(mistake.at.file)
    mistakes.add(mistake)
  }
  return mistakes.sorted()
}
