import { dirname, extname, join, relative, sep } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Source } from '../yaml/source.ts'
import { checkLength, DOCUMENT_LIMITS } from './check-length.ts'
import { type Reference, referencesIn } from './markdown-references.ts'
import type { SkillFile, SkillReading } from './read-skill.ts'

/** Checks that the files exist to which a skill refers, in its SKILL.md and in the documents that it names. */
export async function checkReferences(skill: SkillFile, reading: SkillReading): Promise<void> {
  const { folder, source } = skill
  const named = await resolveReferences(source, skill.body_start, folder, reading)
  const known = new Set([source.file, ...named])
  for (const file of named) {
    if (!isDocument(file)) continue
    const document = await readDocumentFile(file, reading)
    if (!document) continue
    checkLength(document, 0, DOCUMENT_LIMITS, reading.diagnostics)
    if (isMarkdown(file) && isWithin(folder, file)) await checkNested(document, folder, known, reading)
  }
}

/** Largest document that is read. Longer ones are reported by their size. */
const LARGEST = 5_000_000

async function readDocumentFile(file: string, { files, diagnostics }: SkillReading): Promise<Source | undefined> {
  const { size = 0 } = (await files.stat(file)) ?? {}
  if (size <= LARGEST) return files.read(file)
  const at = { file, line: 1, column: 1, length: 1 }
  const message = `this file has ${(size / 1_000_000).toFixed(0)} MB, which is too long for an agent to read`
  diagnostics.add({ code: 'long-skill', at, message, hint: 'split it, or have a script search it' })
  return undefined
}

/** Files that exist, in order. Reports the others. */
async function resolveReferences(
  source: Source,
  start: number,
  folder: string,
  reading: SkillReading,
): Promise<string[]> {
  const found: string[] = []
  for (const reference of referencesIn(source.text, start)) {
    const file = await existingFile(reference.path, source.file, folder, reading)
    if (file === undefined) reportMissing(reference, source, folder, reading)
    else if (!found.includes(file)) found.push(file)
  }
  return found
}

/** A path counts from the folder of the file that contains it, or from that of the skill. */
async function existingFile(
  path: string,
  from: string,
  folder: string,
  { files }: SkillReading,
): Promise<string | undefined> {
  for (const candidate of [join(dirname(from), path), join(folder, path)])
    if (await files.stat(candidate)) return candidate
  return undefined
}

function reportMissing(
  { path, offset, is_link }: Reference,
  source: Source,
  folder: string,
  { diagnostics }: SkillReading,
): void {
  const at = source.location(offset, path.length)
  if (is_link) {
    const hint = `looked at ${join(dirname(source.file), path)}`
    diagnostics.add({ code: 'file-missing', at, message: `${quoteCode(path)} does not exist`, hint })
    return
  }
  const message = `${quoteCode(path)} is mentioned, but does not exist in the skill`
  const hint = `looked at ${join(folder, path)}`
  diagnostics.add({ code: 'file-missing', severity: 'warning', at, message, hint })
}

/** Reports documents that only another document names. */
async function checkNested(
  document: Source,
  folder: string,
  known: ReadonlySet<string>,
  reading: SkillReading,
): Promise<void> {
  for (const reference of referencesIn(document.text)) {
    const { path, offset } = reference
    const file = await existingFile(path, document.file, folder, reading)
    if (file === undefined) reportMissing(reference, document, folder, reading)
    else if (isDocument(file) && !known.has(file) && isWithin(folder, file)) {
      const message = `${quoteCode(relative(folder, file))} is mentioned here, but not in SKILL.md`
      const hint = 'refer to it in SKILL.md, and say when to read it'
      const at = document.location(offset, path.length)
      reading.diagnostics.add({ code: 'nested-reference', at, message, hint })
    }
  }
}

const DOCUMENTS = ['.md', '.mdx', '.markdown', '.txt', '.rst', '.adoc']

/** Whether a file is read as a whole by an agent, as opposed to scripts, which run. */
function isDocument(file: string): boolean {
  return DOCUMENTS.includes(extname(file).toLowerCase())
}

function isMarkdown(file: string): boolean {
  return /\.(md|mdx|markdown)$/i.test(file)
}

function isWithin(folder: string, file: string): boolean {
  return relative(folder, file).split(sep)[0] !== '..'
}
