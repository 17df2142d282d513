import { basename } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import * as z from '../../lib/zod.ts'
import { isJsonSuite, sidecarPaths, stemOf } from '../file-names.ts'
import type { Files } from '../files.ts'
import { checkShape } from '../shape/check-shape.ts'
import { readDocument, readJsonLines } from '../yaml/read-document.ts'
import { SourceNode } from '../yaml/source-node.ts'
import { testsOf } from './find-datasets.ts'
import type { LoadContext } from './load-context.ts'
import type { RawSuite } from './raw-suite.ts'

/** Reads a suite, or a dataset with its sidecar, given either of its two files. A folder has plugin evals. */
export async function readSuiteFile(file: string, context: LoadContext): Promise<RawSuite | undefined> {
  if ((await context.files.stat(file))?.kind === 'folder') {
    const { readPluginEvals } = await import('../plugin-evals/read-plugin-evals.ts')
    return readPluginEvals(file, context)
  }
  if (file.endsWith('.jsonl')) return readDataset(file, context)
  if (isJsonSuite(file)) {
    const { readEvalsFile } = await import('./evals-file.ts')
    return readEvalsFile(file, context)
  }
  const suite = await readMapping(file, context)
  const lines = `${stemOf(file)}.jsonl`
  if (!suite || testsOf(suite.raw) !== undefined || !(await context.files.stat(lines))) return suite
  const dataset = await readDataset(lines, context)
  return dataset && { ...suite, ...(dataset.lines ? { lines: dataset.lines } : {}) }
}

async function readDataset(file: string, context: LoadContext): Promise<RawSuite | undefined> {
  const { files, diagnostics } = context
  const source = await files.read(file)
  if (!source) return undefined
  const [sidecar, second] = await findSidecars(file, files)
  if (second !== undefined) {
    const message = `\`${basename(file)}\` has two sidecars, \`${basename(String(sidecar))}\` and \`${basename(second)}\``
    diagnostics.add({ code: 'two-sidecars', at: source.location(0, 1), message, hint: 'keep one of them' })
  }
  const suite =
    sidecar === undefined
      ? { file, raw: {}, at: SourceNode.ofJsonLine(source, 0, '') }
      : await readMapping(sidecar, context)
  if (!suite) return undefined
  // A sidecar with its own `tests` must name the dataset among them.
  return testsOf(suite.raw) !== undefined
    ? { ...suite, dataset: file }
    : { ...suite, lines: readJsonLines(source, diagnostics) }
}

async function readMapping(file: string, { files, diagnostics }: LoadContext): Promise<RawSuite | undefined> {
  const source = await files.read(file)
  const document = source && readDocument(source, diagnostics)
  if (!document) return undefined
  const { value, at } = document
  if (isMapping(value)) return { file, raw: value, at }
  if (Array.isArray(value)) {
    const hint = 'add a `name`, and put the list under `tests:`'
    diagnostics.add({ code: 'wrong-type', at, message: 'a suite must be a mapping, found a list', hint })
  } else if (value === undefined) {
    diagnostics.add({
      code: 'wrong-type',
      at,
      message: 'this file is empty',
      hint: 'write a suite with a `name` and `tests`; `assay init` creates one',
    })
  } else checkShape(z.looseObject({}), value, at, diagnostics)
  return undefined
}

/** Finds the sidecars of a dataset. More than one is an error. */
export async function findSidecars(dataset: string, files: Files): Promise<readonly string[]> {
  const found = await Promise.all(
    sidecarPaths(dataset).map(async spellings => {
      const stats = await Promise.all(spellings.map(path => files.stat(path)))
      return spellings.filter((_, index) => stats[index]?.kind === 'file').slice(0, 1)
    }),
  )
  return found.flat()
}
