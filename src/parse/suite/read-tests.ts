import { basename, dirname, extname, relative } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { globCost, isGlob } from '../../lib/patterns.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { findUnreadableFolders } from '../find-files.ts'
import { readDocument, readJsonLines } from '../yaml/read-document.ts'
import type { Source } from '../yaml/source.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { couldBeSidecar } from './find-datasets.ts'
import type { SuiteContext } from './load-context.ts'
import { hasVariables, type RawTest, type RawTests } from './raw-suite.ts'
import { findSidecars } from './suite-file.ts'

/** Reads the tests of a suite: inline tests, and those of imported files, whose paths are added to `imported`. */
export async function readTests(
  tests: unknown,
  at: SourceNode,
  imported: Set<string>,
  context: SuiteContext,
): Promise<RawTests> {
  imported.add(at.file)
  if (typeof tests === 'string') return importTests(tests, at, imported, context)
  if (!Array.isArray(tests)) return []
  const nodes = at.items()
  const found: RawTests[] = []
  let inline: RawTest[] | undefined
  for (const [index, raw] of tests.entries()) {
    const node = nodes[index] ?? at.child(index)
    if (typeof raw === 'string') {
      found.push(await importTests(raw, node, imported, context))
      inline = undefined
    } else if (inline) inline.push({ raw, at: node })
    else {
      inline = [{ raw, at: node }]
      found.push(listed(inline))
    }
  }
  return concatenate(found)
}

async function importTests(
  entry: string,
  at: SourceNode,
  imported: Set<string>,
  context: SuiteContext,
): Promise<RawTests> {
  if (entry === '') {
    context.diagnostics.add({
      code: 'out-of-range',
      at,
      message: 'the path of a file must not be empty',
      hint: 'name a file of tests, or remove this entry',
    })
    return []
  }
  const found: RawTests[] = []
  for (const path of await resolveFiles(entry, at, context)) {
    if (imported.has(path)) {
      const message =
        path === at.file ? 'a suite cannot import itself' : `${quoteCode(basename(path))} is imported twice`
      context.diagnostics.add({ code: 'bad-import', at, message, hint: 'remove this entry' })
      continue
    }
    imported.add(path)
    const source = await context.files.read(path, { at, written: entry })
    if (!source) continue
    const isDataset = extname(path) === '.jsonl'
    if (isDataset) await reportUnreadSidecars(path, at, imported, context)
    found.push(isDataset ? readJsonLines(source, context.diagnostics) : listed(readList(source, context.diagnostics)))
  }
  return concatenate(found)
}

/** Warns that the settings beside an imported dataset do not apply. */
async function reportUnreadSidecars(
  dataset: string,
  at: SourceNode,
  imported: ReadonlySet<string>,
  { files, diagnostics }: SuiteContext,
): Promise<void> {
  for (const sidecar of await findSidecars(dataset, files)) {
    if (imported.has(sidecar) || !(await couldBeSidecar(sidecar, files.host))) continue
    const message = `${quoteCode(basename(sidecar))} is ignored, because this suite imports ${quoteCode(basename(dataset))}`
    const hint = `move its settings into this suite, or run ${quoteCode(basename(dataset))} directly`
    diagnostics.add({ code: 'unread-sidecar', at, message, hint })
  }
}

function concatenate(lists: readonly RawTests[]): RawTests {
  return {
    *[Symbol.iterator]() {
      for (const list of lists) yield* list
    },
    usesVariables: () => lists.some(list => list.usesVariables?.()),
  }
}

function listed(tests: readonly RawTest[]): RawTests {
  return {
    [Symbol.iterator]: () => tests[Symbol.iterator](),
    usesVariables: () => tests.some(({ raw }) => hasVariables(raw)),
  }
}

/** Resolves an entry of `tests`: one path, or all files that match a glob. */
async function resolveFiles(
  entry: string,
  at: SourceNode,
  { files, diagnostics }: SuiteContext,
): Promise<readonly string[]> {
  const written = entry.replace(/^file:\/\//, '')
  const path = await files.resolve(written, at.file)
  if (!isGlob(written) || (await files.stat(path))) return [path]
  const base = written.startsWith('/') ? await files.root(dirname(at.file)) : dirname(at.file)
  const matches = (await files.host.files.glob([written.replace(/^\//, '')], { cwd: base })).filter(
    match => match !== at.file,
  )
  for (const folder of await findUnreadableFolders(written.replace(/^\//, ''), base, files.host)) {
    const message = `${quoteCode(entry)} includes the folder ${quoteCode(relative(base, folder))}, which cannot be read`
    diagnostics.add({
      code: 'file-unreadable',
      at,
      message,
      hint: 'check its permissions; if its name is not UTF-8, rename it',
    })
  }
  if (matches.length === 0) {
    const isEndless = globCost(written) === 'endless'
    const hint = isEndless ? 'the pattern is too complex: use fewer `*` and no repeated groups' : `looked in ${base}`
    diagnostics.add({ code: 'file-missing', at, message: `no files match ${quoteCode(entry)}`, hint })
  }
  return matches
}

function readList(source: Source, diagnostics: Diagnostics): RawTest[] {
  const document = readDocument(source, diagnostics)
  if (!document) return []
  const { value: tests, at } = document
  if (!Array.isArray(tests) || tests.length === 0) {
    diagnostics.add({ code: 'bad-import', at, ...listProblem(tests) })
    return []
  }
  const nodes = at.items()
  return tests.flatMap((raw, index) => {
    const node = nodes[index] ?? at.child(index)
    if (typeof raw !== 'string') return [{ raw, at: node }]
    const hint = 'list all files under `tests` in the suite'
    diagnostics.add({ code: 'bad-import', at: node, message: 'an imported file cannot import other files', hint })
    return []
  })
}

function listProblem(value: unknown): { message: string; hint: string } {
  if (isMapping(value) && ('tests' in value || 'name' in value)) {
    return {
      message: 'this is a whole suite, not a list of tests',
      hint: 'run it as a separate suite, or keep only the list under `tests`',
    }
  }
  const message =
    Array.isArray(value) || value === undefined
      ? 'this file contains no tests'
      : 'this file does not contain a list of tests'
  return { message, hint: 'write the tests as a list: `- id: …`' }
}
