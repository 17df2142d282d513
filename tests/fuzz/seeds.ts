import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Form } from './mutate/mutate-file.ts'
import { ROOT } from './root.ts'

/** A folder of files to mutate. */
export interface Seed {
  readonly name: string
  /** A copy outside any repository, so that it is its own root. */
  readonly folder: string
  /** The files that can be mutated. */
  readonly files: readonly { readonly path: string; readonly form: Form; readonly bytes: Uint8Array }[]
}

/** The maximum size of a file; larger ones only take time. */
const LARGEST = 20_000

/** The cases of the corpus and the examples; valid ones four times, because their mutations reach later stages. */
export function seedSuites(): readonly Seed[] {
  known ??= readSeeds()
  return known
}

let known: readonly Seed[] | undefined

function readSeeds(): Seed[] {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'assay-fuzz-seeds-')))
  const seedsIn = (below: string) => {
    cpSync(join(ROOT, below), join(copy, below), { recursive: true })
    return readdirSync(join(copy, below))
      .sort()
      .map(name => ({
        name: `${below}/${name}`,
        folder: join(copy, below, name),
        files: filesIn(join(copy, below, name)),
      }))
      .filter(({ files }) => files.length > 0)
  }
  const invalid = seedsIn('tests/corpus/invalid')
  const good = [...seedsIn('tests/corpus/valid'), ...seedsIn('examples')]
  return [...invalid, ...good, ...good, ...good, ...good]
}

function filesIn(folder: string): Seed['files'][number][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap(path => {
      const form = formOf(path)
      const stat = statSync(join(folder, path))
      if (!form || !stat.isFile() || stat.size > LARGEST || path.endsWith('model.json')) return []
      return [
        { path: relative(folder, join(folder, path)), form, bytes: new Uint8Array(readFileSync(join(folder, path))) },
      ]
    })
}

function formOf(path: string): Form | undefined {
  if (/\.ya?ml$/.test(path)) return 'yaml'
  return path.endsWith('.jsonl') ? 'jsonl' : path.endsWith('.json') ? 'json' : undefined
}
