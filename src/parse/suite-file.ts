import { basename } from 'node:path'
import * as z from 'zod'
import { isMapping } from '../lib/is-mapping.ts'
import { FOREIGN_SUITE_KEYS } from '../spec/foreign-keys.ts'
import { isEvalsFile, readEvalsFile } from './evals-file.ts'
import { readJsonLines } from './json-lines.ts'
import type { Fields } from './keys.ts'
import type { LoadContext } from './loading.ts'
import { readDocument } from './read-document.ts'
import { checkShape } from './shape.ts'
import { SourceNode } from './source-node.ts'
import type { SuiteFile } from './written-suite.ts'

const SIDECARS = ['.yaml', '.yml', '.eval.yaml', '.eval.yml']

/** Reads a suite, or a dataset with its sidecar, from whichever of its two files is named. */
export async function readSuiteFile(file: string, context: LoadContext): Promise<SuiteFile | undefined> {
  if (file.endsWith('.jsonl')) return readDataset(file, context)
  if (isEvalsFile(file)) return readEvalsFile(file, context)
  const suite = await readMapping(file, context)
  const lines = `${stemOf(file)}.jsonl`
  if (!suite || hasTests(suite.raw) || !(await context.files.stat(lines))) return suite
  const dataset = await readDataset(lines, context)
  return dataset && { ...suite, ...(dataset.lines ? { lines: dataset.lines } : {}) }
}

/** `cases` for `cases.yaml`, `cases.eval.yaml` and `cases.jsonl`, with its folder. */
export function stemOf(file: string): string {
  return file.replace(/(\.eval)?\.(ya?ml|jsonl)$/, '')
}

async function readDataset(file: string, context: LoadContext): Promise<SuiteFile | undefined> {
  const { files, mistakes } = context
  const source = await files.read(file)
  if (!source) return undefined
  const candidates = SIDECARS.map(ending => `${stemOf(file)}${ending}`)
  const present = await Promise.all(candidates.map(path => files.stat(path)))
  const [sidecar, second] = candidates.filter((_, index) => present[index]?.kind === 'file')
  if (second !== undefined) {
    const message = `\`${basename(file)}\` has two sidecars, \`${basename(String(sidecar))}\` and \`${basename(second)}\``
    mistakes.add({ code: 'two-sidecars', at: source.place(0, 1), message, hint: 'keep one of them' })
  }
  const suite =
    sidecar === undefined
      ? { file, raw: {}, at: SourceNode.ofJsonLine(source, 0, '') }
      : await readMapping(sidecar, context)
  if (!suite) return undefined
  // A suite that says itself where its tests are must name the dataset among them.
  return hasTests(suite.raw) ? { ...suite, dataset: file } : { ...suite, lines: readJsonLines(source, mistakes) }
}

async function readMapping(file: string, { files, mistakes }: LoadContext): Promise<SuiteFile | undefined> {
  const source = await files.read(file)
  const document = source && readDocument(source, mistakes)
  if (!document) return undefined
  const { value, at } = document
  if (isMapping(value)) return { file, raw: value, at }
  if (Array.isArray(value)) {
    const hint = 'give it a `name`, and put the list below `tests:`'
    mistakes.add({ code: 'wrong-type', at, message: 'a suite must be a mapping, found a list', hint })
  } else if (value === undefined) {
    mistakes.add({
      code: 'wrong-type',
      at,
      message: 'this file is empty',
      hint: 'a suite has a `name` and `tests`; `assay init` writes one',
    })
  } else checkShape(z.looseObject({}), value, at, mistakes)
  return undefined
}

function hasTests(raw: Fields): boolean {
  const names = [...FOREIGN_SUITE_KEYS].filter(([, key]) => key.kind === 'renamed').map(([name]) => name)
  return ['tests', ...names].some(name => raw[name] !== undefined)
}
