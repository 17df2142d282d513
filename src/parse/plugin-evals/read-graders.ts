import { basename, join, relative } from 'node:path'
import { transcriptText } from '../../evaluators/shared/judge-messages.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { OutputMessage } from '../../model/answer.ts'
import { WITH_PLUGIN } from '../../spec/plugin-evals/arms.ts'
import { GRADERS, type GraderType, isWithOnly } from '../../spec/plugin-evals/graders.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { LoadContext } from '../suite/load-context.ts'
import type { RawTest } from '../suite/raw-suite.ts'
import { readFrontmatter } from '../yaml/frontmatter.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { findCaseFile } from './case-paths.ts'
import { readSession } from './session-file.ts'

/** A grader as written in `case.yaml` or in a file of its own. */
interface WrittenGrader {
  readonly raw: unknown
  readonly at: SourceNode
  /** The default name; undefined where the grader must have one. */
  readonly file_name?: string
  /** Text of the file, if it is not a field. */
  readonly note?: string | undefined
}

/** Reads the graders of a case as checks: those of `case.yaml`, then those of its folder `graders`. */
export async function readGraders(
  folder: string,
  inCaseFile: readonly RawTest[],
  options: { readonly hasControl: boolean },
  context: LoadContext,
): Promise<readonly RawTest[]> {
  const written = [...inCaseFile, ...(await readGraderFiles(join(folder, 'graders'), context))]
  const names = new Map<string, SourceNode>()
  const graders: LoadedGrader[] = []
  for (const each of written) {
    const grader = await loadGrader(each, folder, context)
    if (grader && !reportSameName(grader, names, context)) graders.push(grader)
  }
  // Where all are about the plugin, they are what is scored.
  const isScored = graders.every(({ is_with_only }) => is_with_only)
  return graders.map(({ raw, at, is_with_only }) => {
    if (!options.hasControl || !is_with_only) return { raw, at }
    return { raw: { ...raw, applies_to: [WITH_PLUGIN], ...(isScored ? {} : { weight: 0 }) }, at }
  })
}

interface LoadedGrader {
  readonly raw: Readonly<Record<string, unknown>>
  readonly at: SourceNode
  readonly name: string
  readonly is_with_only: boolean
}

async function readGraderFiles(folder: string, { files, diagnostics }: LoadContext): Promise<WrittenGrader[]> {
  const stat = await files.stat(folder)
  if (!stat) return []
  const names = stat.kind === 'folder' ? await files.host.files.listNames(folder).catch(() => undefined) : undefined
  if (!names) {
    const problem = stat.kind === 'folder' ? 'cannot be read' : 'is not a folder'
    const at = { file: folder, line: 1, column: 1, length: 1 }
    diagnostics.add({ code: 'file-unreadable', at, message: `the folder ${quoteCode(folder)} ${problem}` })
    return []
  }
  const graders: WrittenGrader[] = []
  for (const name of names.filter(name => name.endsWith('.md') && !name.startsWith('.'))) {
    const source = await files.read(join(folder, name))
    if (!source) continue
    const before = diagnostics.errors
    const { value = {}, at, body, bodyAt } = readFrontmatter(source, diagnostics)
    if (diagnostics.errors > before) continue
    const grader = { raw: value, at, file_name: basename(name, '.md') }
    const text = body.replaceAll('\r\n', '\n')
    graders.push(text === '' ? grader : withBody(grader, text, bodyAt, diagnostics))
  }
  return graders
}

/** Adds the text of a file: as a field, or as a note. */
function withBody(
  grader: WrittenGrader,
  body: string,
  bodyAt: SourceNode,
  diagnostics: LoadContext['diagnostics'],
): WrittenGrader {
  const { raw, at } = grader
  const field = typeOf(raw)?.body
  if (!isMapping(raw) || field === undefined) return { ...grader, note: body }
  if (raw[field] === undefined) return { ...grader, raw: { ...raw, [field]: body }, at: at.with({ [field]: bodyAt }) }
  const message = `\`${field}\` and the text of the file mean the same: keep one`
  diagnostics.add({ code: 'two-spellings', at: at.child(field), part: 'key', message })
  return grader
}

function typeOf(raw: unknown): GraderType | undefined {
  const type = isMapping(raw) ? raw['type'] : undefined
  return typeof type === 'string' ? GRADERS.get(type) : undefined
}

/** Converts a grader into a check. Returns undefined after reporting its problems. */
async function loadGrader(
  { raw, at, file_name, note }: WrittenGrader,
  folder: string,
  context: LoadContext,
): Promise<LoadedGrader | undefined> {
  const { diagnostics } = context
  const type = typeOf(raw)
  if (!type) return reportType(raw, at, context)
  const fields = checkShape(type.schema(), raw, at, diagnostics)
  if (!fields) return undefined
  for (const { path, ...issue } of type.issues?.(fields) ?? []) diagnostics.add({ ...issue, at: at.child(...path) })
  const { name: written, weight } = fields as { name?: string; weight?: number }
  const name = written ?? file_name
  if (name === undefined) {
    diagnostics.add({ code: 'missing-key', at, message: '`name` is missing', hint: 'give each grader a name' })
    return undefined
  }
  const baseline = await readBaseline(fields['baseline_file'], folder, at.child('baseline_file'), context)
  const { fields: check, keys = {} } = type.check(fields, baseline)
  const common = {
    name,
    ...(weight === undefined ? {} : { weight }),
    ...(note === undefined ? {} : { description: note }),
  }
  return {
    raw: { ...check, ...common },
    at: at.renaming({ ...keys, applies_to: 'arm' }),
    name,
    is_with_only: isWithOnly(type, fields),
  }
}

/** The transcript that a grader compares with, as text. */
async function readBaseline(written: unknown, folder: string, at: SourceNode, context: LoadContext): Promise<string> {
  if (typeof written !== 'string') return ''
  const path = await findCaseFile(written, folder, at, context)
  const messages = path === undefined ? [] : await readSession(path, at, context)
  return transcriptText({ text: '', output_messages: messages as unknown as OutputMessage[] })
}

function reportType(raw: unknown, at: SourceNode, { diagnostics }: LoadContext): undefined {
  const types = [...GRADERS.keys()]
  const type = isMapping(raw) ? raw['type'] : undefined
  const all = `the types are ${types.join(', ')}`
  if (!isMapping(raw)) {
    diagnostics.add({ code: 'wrong-type', at, message: 'a grader must be a mapping', hint: 'write its `type` first' })
  } else if (type === undefined) {
    diagnostics.add({ code: 'missing-key', at, message: '`type` is missing', hint: all })
  } else {
    const message = `unknown grader type ${quoteCode(type)}`
    const hint = typeof type === 'string' ? didYouMean(type, types, all) : all
    diagnostics.add({ code: 'unknown-type', at: at.child('type'), message, hint })
  }
}

function reportSameName(
  { name, at }: LoadedGrader,
  names: Map<string, SourceNode>,
  { diagnostics, files }: LoadContext,
): boolean {
  const earlier = names.get(name)?.location()
  names.set(name, at)
  if (!earlier) return false
  const message = `a grader named ${quoteCode(name)} is already defined at ${relative(files.host.cwd, earlier.file)}:${earlier.line}`
  diagnostics.add({
    code: 'duplicate-name',
    at: at.child('name'),
    message,
    hint: 'give each grader of a case its own name',
  })
  return true
}
