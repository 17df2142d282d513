import { Command } from 'commander'
import { printable } from '../../lib/text/escape.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openRun } from '../open-run.ts'
import { example, RUN_ARGUMENT } from '../options.ts'

interface Options {
  readonly runsDir?: string
  readonly json?: boolean
  readonly verbose?: boolean
}

export function explainCommand(context: CommandContext): Command {
  return new Command('explain')
    .description('Explain the verdict of a test: input, answer, tool calls, and every check with its score and weight.')
    .argument('<run>', RUN_ARGUMENT)
    .argument('<test>', 'id of a test (wildcards: * and ?)')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('-v, --verbose', 'print long texts in full, with tool results and details of checks')
    .option('--json', 'print the results as one JSON document')
    .addHelpText('after', example('assay explain latest greets-by-name'))
    .action((run, test, options) => context.run(() => explainTest(run, test, options, context)))
}

async function explainTest(run: string, test: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context
  const [{ findResults }, { explainAttempt }] = await Promise.all([
    import('../../operations/explain.ts'),
    import('../../report/explain.ts'),
  ])
  const reader = await openRun(run, options.runsDir, context)
  const { results, facts } = findResults(reader, test)
  reader.close()
  if (results.length === 0) {
    terminal.err(`${printable(`No result of a test ${test} in this run${await reasonOf(test, reader, facts)}`)}\n`)
    return EXIT.nothing
  }
  const path = terminal.pathsFrom(reader.info?.root)
  if (options.json) terminal.json(results)
  else terminal.out(results.map(result => explainAttempt(result, path, options.verbose)).join('\n'))
  return EXIT.ok
}

/** Why a run has no such test: it is partial, or the id is another one. */
async function reasonOf(test: string, run: RunReader, facts: readonly ResultFacts[]): Promise<string> {
  const { partialRunText } = await import('../../report/outcome/partial-run.ts')
  const part = partialRunText(run, facts.length)
  const ids = new Set(facts.map(({ test_id }) => test_id))
  if (part === undefined) return `: ${didYouMean(test, ids, 'see the ids with `assay list`')}`
  const hint = didYouMean(test, ids, '')
  return `, which is partial: ${part}${hint === '' ? '' : `; ${hint}`}`
}
