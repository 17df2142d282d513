import { basename, dirname, extname, relative } from 'node:path'
import { globCost } from '../lib/glob.ts'
import { isGlob } from '../lib/is-glob.ts'
import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import { closedFolders } from './closed-folders.ts'
import { couldBeSidecar } from './find-datasets.ts'
import { readJsonLines } from './json-lines.ts'
import type { Loading } from './loading.ts'
import type { Mistakes } from './mistakes.ts'
import { readDocument } from './read-document.ts'
import type { Source } from './source.ts'
import type { SourceNode } from './source-node.ts'
import { sidecarsOf } from './suite-file.ts'
import type { WrittenTest } from './written-test.ts'

/** The tests of a suite: those written in it, and those in the files that it names, which are added to `imported`. */
export async function readTests(
  tests: unknown,
  at: SourceNode,
  imported: Set<string>,
  loading: Loading,
): Promise<Iterable<WrittenTest>> {
  imported.add(at.file)
  if (typeof tests === 'string') return importTests(tests, at, imported, loading)
  if (!Array.isArray(tests)) return []
  const nodes = at.items()
  const found: Iterable<WrittenTest>[] = []
  for (const [index, raw] of tests.entries()) {
    const node = nodes[index] ?? at.child(index)
    found.push(typeof raw === 'string' ? await importTests(raw, node, imported, loading) : [{ raw, at: node }])
  }
  return inTurn(found)
}

async function importTests(
  entry: string,
  at: SourceNode,
  imported: Set<string>,
  loading: Loading,
): Promise<Iterable<WrittenTest>> {
  if (entry === '') {
    loading.mistakes.add({ code: 'out-of-range', at, message: 'the path of a file must not be empty' })
    return []
  }
  const found: Iterable<WrittenTest>[] = []
  for (const path of await filesOf(entry, at, loading)) {
    if (imported.has(path)) {
      const message = path === at.file ? 'a suite cannot import itself' : `${shown(basename(path))} is imported twice`
      loading.mistakes.add({ code: 'bad-import', at, message })
      continue
    }
    imported.add(path)
    const source = await loading.files.read(path, { at, written: entry })
    if (!source) continue
    const isDataset = extname(path) === '.jsonl'
    if (isDataset) await reportUnreadSidecars(path, at, imported, loading)
    found.push((isDataset ? readJsonLines : readList)(source, loading.mistakes))
  }
  return inTurn(found)
}

/** A suite that imports a dataset has the settings itself: those beside the dataset do not apply. */
async function reportUnreadSidecars(
  dataset: string,
  at: SourceNode,
  imported: ReadonlySet<string>,
  { files, mistakes }: Loading,
): Promise<void> {
  for (const sidecar of await sidecarsOf(dataset, files)) {
    if (imported.has(sidecar) || !(await couldBeSidecar(sidecar, files.host))) continue
    const message = `${shown(basename(sidecar))} is not read, since this suite imports ${shown(basename(dataset))}`
    const hint = `move its settings into this suite, or run ${shown(basename(dataset))} by itself`
    mistakes.add({ code: 'unread-sidecar', at, message, hint })
  }
}

function* inTurn(lists: Iterable<Iterable<WrittenTest>>): Generator<WrittenTest> {
  for (const list of lists) yield* list
}

/** The files that an entry names: one path, or all that match a pattern. */
async function filesOf(entry: string, at: SourceNode, { files, mistakes }: Loading): Promise<readonly string[]> {
  const written = entry.replace(/^file:\/\//, '')
  const path = await files.resolve(written, at.file)
  if (!isGlob(written) || (await files.stat(path))) return [path]
  const base = written.startsWith('/') ? await files.root(dirname(at.file)) : dirname(at.file)
  const matches = (await files.host.files.glob([written.replace(/^\//, '')], { cwd: base })).filter(
    match => match !== at.file,
  )
  for (const folder of await closedFolders(written.replace(/^\//, ''), base, files.host)) {
    const message = `${shown(entry)} leads into ${shown(relative(base, folder))}, which cannot be read`
    mistakes.add({
      code: 'file-unreadable',
      at,
      message,
      hint: 'rename a folder whose name is not UTF-8, or allow it to be read',
    })
  }
  if (matches.length === 0) {
    const isEndless = globCost(written) === 'endless'
    const hint = isEndless ? 'this pattern is too complex: use fewer `*`, and no repeated groups' : `looked in ${base}`
    mistakes.add({ code: 'file-missing', at, message: `nothing matches ${shown(entry)}`, hint })
  }
  return matches
}

function readList(source: Source, mistakes: Mistakes): WrittenTest[] {
  const document = readDocument(source, mistakes)
  if (!document) return []
  const { value: tests, at } = document
  if (!Array.isArray(tests) || tests.length === 0) {
    mistakes.add({ code: 'bad-import', at, ...listProblem(tests) })
    return []
  }
  const nodes = at.items()
  return tests.flatMap((raw, index) => {
    const node = nodes[index] ?? at.child(index)
    if (typeof raw !== 'string') return [{ raw, at: node }]
    const hint = 'name all files in the `tests` of the suite'
    mistakes.add({ code: 'bad-import', at: node, message: 'a file of tests cannot import further files', hint })
    return []
  })
}

function listProblem(value: unknown): { message: string; hint: string } {
  if (isMapping(value) && ('tests' in value || 'name' in value)) {
    return {
      message: 'this is a whole suite, not a list of tests',
      hint: 'run it as a suite of its own, or keep only the list below `tests`',
    }
  }
  const message =
    Array.isArray(value) || value === undefined ? 'this file holds no tests' : 'this file does not hold a list of tests'
  return { message, hint: 'write tests as list entries: `- id: …`' }
}
