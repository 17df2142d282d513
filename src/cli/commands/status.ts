import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { TestStatus } from '../../model/test-status.ts'
import type { Status } from '../../operations/status.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { reportNothing } from '../nothing-to-run.ts'
import { collect, example, TARGETS_FILE, tagOption, testIdOption, trialCount } from '../options.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'
import { warningText } from '../terminal/progress.ts'
import { unversionedWarnings } from '../terminal/status-text.ts'

interface Options {
  readonly against?: string
  readonly target?: readonly string[]
  readonly targets?: string
  readonly testId?: readonly string[]
  readonly tag?: readonly string[]
  readonly trials?: number
  readonly runsDir?: string
  readonly why?: boolean
  readonly json?: boolean
}

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description('Show which tests have a current result, and which have changed since.')
    .argument('[paths...]', 'files, folders or globs (default: the current folder)')
    .option('--against <results>', 'a baseline, a run, a file or git:REF (default: main, else the last run)')
    .option('--why', 'also show what has changed')
    .option('--target <name>', 'only this target (repeatable)', collect)
    .option('--targets <file>', TARGETS_FILE)
    .addOption(testIdOption())
    .addOption(tagOption())
    .option('--trials <n>', 'number of trials that a current result has', trialCount)
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `${HELP}${example('assay status', 'assay status --why --against git:origin/main')}`)
    .action((paths, options) => context.run(() => showStatus(paths, options, context)))
}

const HELP = `
A result is current if the test with its files and checks, the target with the
files that it depends on, and the judges are what they were. \`assay eval
--affected\` runs the others.
`

async function showStatus(paths: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ statusOf }, { runtimeOn }] = await Promise.all([
    import('../../operations/status.ts'),
    import('../../operations/runtime.ts'),
  ])
  const { against, target: targets, targets: targets_file, testId: test_ids, tag: tags, trials } = options
  const selection = { paths, against, targets, targets_file, test_ids, tags, trials, runs_dir: options.runsDir }
  const status = await statusOf(selection, runtimeOn(host))
  const { planned, tests } = status
  const { loaded, diagnostics, found, plan } = planned
  terminal.redactWith(planned.redactor.text)
  if (diagnostics.length > 0)
    terminal.err(diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stderr')))
  if (!tests || !plan) return reportMissing(found, EXIT.userError, context)
  if (tests.length === 0) return reportNothing(planned, plan, context)
  for (const warning of unversionedWarnings(plan)) terminal.err(`${warningText(warning, terminal.palette('stderr'))}\n`)
  if (options.json) terminal.json(statusData(status, tests, terminal.path))
  else terminal.out(statusText(status, tests, options))
  return reportMissing(found, EXIT.ok, context)
}

function statusData(
  { reference, gone, planned }: Status,
  tests: readonly TestStatus[],
  path: (file: string) => string,
) {
  return {
    against: reference.name,
    tests: tests.map(({ attempts: [{ suite, test, target }], state, reasons, known, moved_from }) => ({
      suite: suite.name,
      file: path(test.at.file),
      line: test.at.line(),
      test_id: test.id,
      target: target.name,
      state,
      reasons,
      verdict: known?.verdict,
      run: known?.run,
      moved_from,
    })),
    skipped: (planned.plan?.skipped ?? []).map(({ suite, test, reason }) => ({
      suite: suite.name,
      file: path(test.at.file),
      line: test.at.line(),
      test_id: test.id,
      reason,
    })),
    gone: gone.map(({ suite, file, test_id, target, verdict, run }) => ({
      suite,
      file,
      test_id,
      target,
      verdict,
      run,
    })),
  }
}

function statusText({ reference, gone, planned }: Status, tests: readonly TestStatus[], { why }: Options): string {
  const lines = tests.map(({ attempts: [{ suite, test, target }], state, reasons, moved_from }) => {
    const moved = moved_from === undefined ? [] : [`moved from ${moved_from}`]
    const facts = why ? [...reasons, ...moved] : []
    return `${state.padEnd(7)}  ${suite.name}  ${test.id} on ${target.name}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`
  })
  const others = gone.map(({ suite, test_id, target }) => `${'gone'.padEnd(7)}  ${suite}  ${test_id} on ${target}`)
  const skipped = planned.plan?.skipped ?? []
  const left = skipped.map(({ suite, test, reason }) => {
    return `${'skipped'.padEnd(7)}  ${suite.name}  ${test.id}${why ? `: ${reason}` : ''}`
  })
  const count = (wanted: TestStatus['state']) => tests.filter(({ state }) => state === wanted).length
  const counts = [
    `${count('current')} current`,
    `${count('changed')} changed`,
    `${count('new')} new`,
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ]
  const summary = `${plural(tests.length, 'test')} against ${reference.name}: ${counts.join(', ')}`
  return [...lines, ...left, ...others, '', summary].map(line => `${printableLine(line)}\n`).join('')
}
