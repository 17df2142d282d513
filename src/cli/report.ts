import { resolve } from 'node:path'
import { nodeHost } from '../host/node.ts'
import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { UserError } from '../model/user-error.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { reporters } from '../report/index.ts'
import type { Reporter } from '../report/reporter.ts'
import { text } from '../report/text.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { openRun } from './open-run.ts'
import { orMistake } from './or-mistake.ts'
import { terminal } from './terminal/terminal.ts'
import { reporterFor } from './write-outputs.ts'
import { orSay, textOf, writeFile, writeFolder } from './write-report.ts'

interface ReportOptions {
  readonly format?: string
  readonly output?: string
  readonly target?: readonly string[]
  readonly runsDir?: string
}

/** `assay report`: the records of a run in another form. */
export function reportCommand(run: string, options: ReportOptions, host: Host = nodeHost()): Promise<ExitCode> {
  return orMistake(async () => {
    const reporter = reporterOf(options)
    const { runs_folder } = await findProjectFolders(options.runsDir, host)
    const reader = await openRun(run, runs_folder, host)
    try {
      return await report(reporter, reader, options, host)
    } finally {
      reader.close()
    }
  })
}

/** The format that was asked for, else that of the file's extension, else text. */
function reporterOf({ format, output, target }: ReportOptions): Reporter {
  const named = reporters.find(({ type }) => type === format)
  const reporter = named ?? (output === undefined ? text : reporterFor(output))
  if (reporter.folder !== undefined && output === undefined)
    throw new UserError(`--format ${reporter.type} writes many files: say with -o into which folder.`)
  if (target && !reporter.chooses_targets)
    throw new UserError(`--format ${reporter.type} is about all targets: leave --target out.`)
  return reporter
}

async function report(reporter: Reporter, run: RunReader, options: ReportOptions, host: Host): Promise<ExitCode> {
  const { output, target: targets } = options
  const problem = reporter.problem?.(run, { targets })
  if (problem !== undefined) throw new UserError(problem)
  let isEmpty = false
  if (output === undefined) for (const text of textOf(reporter, run)) terminal.out(reporter.harmless?.(text) ?? text)
  else if (reporter.folder === undefined) await writeFile(reporter, run, output, host)
  else isEmpty = !(await writeFolder(reporter, run, { targets }, output, host))
  if (reporter.besides) await addBesides(reporter.besides, run, host)
  for (const note of reporter.notes?.(run, { targets }) ?? []) terminal.err(`${printableLine(note)}\n`)
  if (isEmpty) return EXIT.nothing
  // Results that are missing could change every figure.
  return run.damaged ? EXIT.incomplete : EXIT.ok
}

/** What goes along is added to what is in the file already. */
async function addBesides(
  { variable, reporter }: NonNullable<Reporter['besides']>,
  run: RunReader,
  host: Host,
): Promise<void> {
  const path = host.env[variable]
  if (!path) return
  const file = resolve(host.cwd, path)
  await orSay(path, async () => {
    const isThere = (await host.files.stat(file)) !== undefined
    const there = isThere ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await host.files.read(file)) : ''
    const end = there === '' || there.endsWith('\n') ? '' : '\n'
    await host.files.write(file, `${there}${end}${[...textOf(reporter, run)].join('')}`)
  })
}
