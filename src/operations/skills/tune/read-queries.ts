import { resolve } from 'node:path'
import { hasErrors } from '../../../diagnostics/diagnostic.ts'
import { plural } from '../../../lib/text/format.ts'
import type { Host } from '../../../model/host.ts'
import { UserError } from '../../../model/user-error.ts'
import { Diagnostics } from '../../../parse/diagnostics.ts'
import { Files } from '../../../parse/files.ts'
import { checkShape } from '../../../parse/shape/check-shape.ts'
import { readDocument } from '../../../parse/yaml/read-document.ts'
import { type EvalItem, evalsSchema, triggerSetSchema } from '../../../spec/evals-json.ts'
import { InvalidFile } from '../../invalid-file.ts'
import type { Query } from './split-queries.ts'

/** Reads the queries of a trigger set, or of an evals.json with `should_trigger`. Throws `InvalidFile`. */
export async function readQueries(named: string, host: Host): Promise<readonly Query[]> {
  const diagnostics = new Diagnostics()
  const file = resolve(host.cwd, named)
  const items = await readItems(file, new Files(host, diagnostics), diagnostics)
  if (hasErrors(diagnostics.sorted()) || !items) throw new InvalidFile(diagnostics.sorted())
  const withFiles = items.filter(({ files }) => files !== undefined && files.length > 0).length
  if (withFiles > 0)
    throw new UserError(
      `${named} has ${plural(withFiles, 'eval')} with files, which are not part of a query.`,
      'Write the queries without files, as a list of `query` and `should_trigger`.',
    )
  const queries = items.flatMap(({ prompt: query, should_trigger }) =>
    should_trigger === undefined ? [] : [{ query, should_trigger }],
  )
  if (queries.length > 0) return queries
  throw new UserError(
    `${named} has no query with \`should_trigger\`.`,
    'Say for each query whether it should trigger the skill: `{"query": "…", "should_trigger": true}`.',
  )
}

type Item = Pick<EvalItem, 'prompt' | 'should_trigger' | 'files'>

async function readItems(file: string, files: Files, diagnostics: Diagnostics): Promise<readonly Item[] | undefined> {
  const source = await files.read(file)
  const document = source && readDocument(source, diagnostics)
  if (!document) return undefined
  const { value, at } = document
  if (!Array.isArray(value)) return checkShape(evalsSchema(), value, at, diagnostics)?.evals
  const set = checkShape(triggerSetSchema(), value, at, diagnostics)
  return set?.map(({ query, should_trigger }) => ({ prompt: query, should_trigger }))
}
