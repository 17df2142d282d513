import { extname, join, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { UserError } from '../model/user-error.ts'
import { type ReportFormat, reportFormats } from '../report/index.ts'
import type { Reporter, ReportFile, ReportOptions } from '../report/reporter.ts'
import { findInputImages } from './input-images.ts'

/** Throws before a run where a report could not be written after it. */
export async function checkOutputs(files: readonly string[] = [], host: Host): Promise<void> {
  await requireFiles(files, reportFormats, host)
}

/** Throws where a file has no format by its extension, or cannot be a file. */
export async function requireFiles(
  files: readonly string[] = [],
  formats: readonly NamedFormat[],
  host: Host,
): Promise<void> {
  for (const file of files) {
    formatOf(formats, file)
    const stat = await host.files.stat(resolve(host.cwd, file)).catch(() => undefined)
    if (stat?.kind === 'folder') throw new UserError(`Cannot write ${file}: it is a folder.`)
    if (stat?.kind === 'other') throw new UserError(`Cannot write ${file}: it is not a regular file.`)
  }
}

export interface WrittenReports {
  /** Paths of the reports that were written. */
  readonly paths: readonly string[]
  /** Why one could not be written. */
  readonly problem: unknown
}

/** Writes reports, each in the format of its extension; one that fails does not stop the others. */
export async function writeReports(
  files: readonly string[] = [],
  run: RunReader,
  host: Host,
  options: ReportOptions = {},
): Promise<WrittenReports> {
  return writeEach(files, async file => writeReportFile(await formatFor(file).load(), run, { ...options, file }, host))
}

/** Writes files; one that fails does not stop the others. `write` returns the path of a file. */
export async function writeEach(
  files: readonly string[] = [],
  write: (file: string) => Promise<string>,
): Promise<WrittenReports> {
  const paths: string[] = []
  const problems: unknown[] = []
  for (const file of files) {
    try {
      paths.push(await write(file))
    } catch (error) {
      problems.push(error)
    }
  }
  return { paths, problem: problems[0] }
}

/** Returns the report format of a file by its extension. */
export function formatFor(file: string): ReportFormat {
  return formatOf(reportFormats, file)
}

/** A format that has an extension, unless it is only printed. */
interface NamedFormat {
  readonly extension?: string
}

/** Returns the format of a file by its extension. */
export function formatOf<Format extends NamedFormat>(formats: readonly Format[], file: string): Format {
  const format = formats.find(({ extension }) => extension !== undefined && extname(file) === extension)
  if (format) return format
  const extensions = formats.flatMap(({ extension }) => extension ?? []).join(', ')
  throw new UserError(`Cannot write ${file}: unsupported extension; use one of ${extensions}.`)
}

/** Writes a report that is one file, and returns its path; where it is a link, that of the file it leads to. */
export async function writeReportFile(
  reporter: Reporter,
  run: RunReader,
  { file, ...options }: ReportOptions & { readonly file: string },
  host: Host,
): Promise<string> {
  const images = reporter.shows_images ? await findInputImages(run, host) : undefined
  return writeTexts(await fileIn(file, reporter, host), reportText(reporter, run, { ...options, images }), host)
}

/** A report whose file has a name of its own may be written into a folder. */
async function fileIn(path: string, { file }: Reporter, host: Host): Promise<string> {
  if (file === undefined) return path
  const stat = await host.files.stat(resolve(host.cwd, path)).catch(() => undefined)
  return stat?.kind === 'folder' || /[/\\]$/.test(path) ? join(path, file) : path
}

/** Writes texts to a file that the user names, and returns its path; where it is a link, that of the file it leads to. */
export async function writeTexts(file: string, texts: Iterable<string>, host: Host): Promise<string> {
  const named = resolve(host.cwd, file)
  const path = (await host.files.realPath(named).catch(() => undefined)) ?? named
  await orCannotWrite(file, () => host.files.write(path, chunks(texts)))
  return path
}

/** The text of a report that is one file. */
export function* reportText(reporter: Reporter, run: RunReader, options: ReportOptions = {}): Generator<string> {
  for (const { text } of reporter.render(run, options)) yield* text
}

/** Writes a report of many files into a new folder beside earlier ones, and returns its path; undefined where it has no files. */
export async function writeReportFolder(
  reporter: Reporter,
  run: RunReader,
  options: ReportOptions,
  folder: string,
  host: Host,
): Promise<string | undefined> {
  const files = reporter.render(run, options)[Symbol.iterator]()
  let next = files.next()
  if (next.done) return undefined
  const name = reporter.folder ?? reporter.type
  const path = await orCannotWrite(folder, () => newFolder(resolve(host.cwd, folder), name, host))
  try {
    for (; !next.done; next = files.next()) {
      const file = next.value
      await orCannotWrite(folder, () => writeOne(file, join(path, file.path ?? ''), host))
    }
  } catch (error) {
    // A part of a report would be taken for a whole one.
    await host.files.remove(path).catch(() => {})
    throw error
  }
  return path
}

/** Writes a text, or copies a file, whose content must be that of the record. */
async function writeOne({ text, copy }: ReportFile, path: string, host: Host): Promise<void> {
  if (!copy) return host.files.write(path, chunks(text))
  await host.files.copyFile(copy.from, path)
  const copied = await host.files.readContent(path, 0)
  if (copied?.hash !== copy.hash) throw new UserError(`Cannot copy ${copy.from}: it was changed.`)
}

/** Makes `iteration-3` where the highest number in use is 2. */
async function newFolder(parent: string, name: string, host: Host): Promise<string> {
  const taken = (await host.files.listNames(parent)).flatMap(each =>
    each.startsWith(`${name}-`) ? numberOf(each.slice(name.length + 1)) : [],
  )
  let number = Math.max(0, ...taken) + 1
  while (!(await host.files.makeFolder(join(parent, `${name}-${number}`)))) number++
  return join(parent, `${name}-${number}`)
}

/** Ignores numbers of absurd length, which are not ours. */
function numberOf(text: string): number[] {
  return /^\d{1,9}$/.test(text) ? [Number(text)] : []
}

/** Turns any error of writing into a `CannotDo` that names the file. */
export async function orCannotWrite<Made>(file: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`Cannot write ${file}: ${(error as Error).message}`)
  }
}

/** Joins small texts, so that each write is worth it. */
async function* chunks(texts: Iterable<string>): AsyncGenerator<string> {
  let joined = ''
  for (const text of texts) {
    joined += text
    if (joined.length < 1_000_000) continue
    yield joined
    joined = ''
  }
  yield joined
}
