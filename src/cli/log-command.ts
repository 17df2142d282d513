import { Command, InvalidArgumentError, Option } from 'commander'
import type { ExitCode } from './exit-codes.ts'
import { collect, example, positiveNumber } from './option-values.ts'

type Finish = (code: ExitCode) => void

/** The arguments of `assay log`. */
export function logCommand(finish: Finish): Command {
  const log = new Command('log')
    .description('Conversations that were logged in .co/evals: look at them, expect answers, run them again.')
    .addHelpText(
      'after',
      example('assay log run "Say hello to Alice"', 'assay log expect say_hello_to_alice', 'assay log eval'),
    )
  const commands = [list, show, messages, diff, expect, evaluate, toEval, run, importRun]
  for (const command of commands.map(make => make(finish))) log.addCommand(command)
  return log
}

const NAME = 'a log: its name, the beginning of it, or its first input'
const NAMES = 'logs; default: all'

const FOUND = 'where the logs are; default: the nearest .co/evals, in this folder or above'
const WRITTEN = 'where the logs go; default: .co/evals in this folder'

function subcommand(name: string, description: string, logDir = FOUND): Command {
  return new Command(name).description(description).option('--log-dir <folder>', logDir)
}

function list(finish: Finish): Command {
  return subcommand('list', 'List the logs: how often each ran, and how the last run was judged.')
    .option('--json', 'as one JSON document')
    .addHelpText('after', example('assay log list'))
    .action(async options => {
      const { logList } = await import('./log/list.ts')
      finish(await logList(options))
    })
}

function show(finish: Finish): Command {
  return subcommand('show', 'Show a log turn by turn: input, output, tools, what is expected and how it was judged.')
    .argument('<log>', NAME)
    .option('--run <n>', 'an earlier run', positiveNumber)
    .option('--json', 'the whole log as one JSON document')
    .addHelpText('after', example('assay log show say_hello_to_alice --run 1'))
    .action(async (name, options) => {
      const { logShow } = await import('./log/show.ts')
      finish(await logShow(name, options))
    })
}

function messages(finish: Finish): Command {
  return subcommand('messages', 'Print the messages of a run as a JSON array, ready to be sent again.')
    .argument('<log>', NAME)
    .option('--run <n>', 'which run; default: the last', positiveNumber)
    .addHelpText('after', example('assay log messages say_hello_to_alice --run 1'))
    .action(async (name, options) => {
      const { logMessages } = await import('./log/messages.ts')
      finish(await logMessages(name, options))
    })
}

function diff(finish: Finish): Command {
  return subcommand(
    'diff',
    'Show what changed between two runs: output, tools, tokens, cost, time, model, system prompt.',
  )
    .argument('<log>', NAME)
    .option('--runs <a,b>', 'which two; default: the last two', twoRuns)
    .option('--json', 'as one JSON document')
    .addHelpText('after', example('assay log diff say_hello_to_alice --runs 1,2'))
    .action(async (name, options) => {
      const { logDiff } = await import('./log/diff.ts')
      finish(await logDiff(name, options))
    })
}

function twoRuns(text: string): [number, number] {
  const [, first, second] = /^(\d+),(\d+)$/.exec(text.replaceAll(' ', '')) ?? []
  if (!first || !second) throw new InvalidArgumentError('It must be two runs, as 1,2.')
  return [Number(first), Number(second)]
}

function expect(finish: Finish): Command {
  return subcommand('expect', 'Write down what an answer should be; by default, the one that was given last.')
    .argument('<log>', NAME)
    .option('--turn <n>', 'which turn, from 1', positiveNumber)
    .addOption(new Option('--text <text>', 'the answer that is expected').conflicts('fromRun'))
    .option('--from-run <n>', 'the answer of an earlier run', positiveNumber)
    .addHelpText('after', example('assay log expect say_hello_to_alice --text "Hello, Alice!"'))
    .action(async (name, options) => {
      const { logExpect } = await import('./log/expect.ts')
      finish(await logExpect(name, options))
    })
}

const EVAL_CODES = `
Exit codes:
  0 every expected answer was given, 1 one was not, 2 a mistake,
  3 a run that could not be made or judged, 5 nothing is expected
`

function evaluate(finish: Finish): Command {
  return asking(subcommand('eval', 'Run every log that expects something again, and judge the answers by that.'))
    .argument('[logs...]', NAMES)
    .option('--judge <name>', 'the target that says whether another text means the same')
    .option('--workers <n>', 'how many conversations run at once', positiveNumber)
    .option('--json', 'as one JSON document')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `${EVAL_CODES}${example('assay log eval', 'assay log eval say_hello_to_alice --target gpt --judge claude')}`,
    )
    .action(async (names, options) => {
      const { logEval } = await import('./log/eval.ts')
      finish(await logEval(names, options))
    })
}

function toEval(finish: Finish): Command {
  return subcommand('to-eval', 'Make a suite of logs: a test for each turn.')
    .argument('[logs...]', NAMES)
    .option('-o, --output <file>', 'where the EVAL.yaml goes; default: stdout')
    .option('--force', 'write over a file that is there')
    .addHelpText('after', example('assay log to-eval -o EVAL.yaml'))
    .action(async (names, options) => {
      const { logToEval } = await import('./log/to-eval.ts')
      finish(await logToEval(names, options))
    })
}

function run(finish: Finish): Command {
  return asking(subcommand('run', 'Say something to a target, print the answer and log it.', WRITTEN))
    .argument('<input>', 'what the user says')
    .option('--turn <input>', 'what the user says next (repeatable)', collect)
    .option('--json', 'where it was logged, as one JSON document')
    .addHelpText('after', example('assay log run "Say hello to Alice" --target default --turn "And to Bob"'))
    .action(async (input, options) => {
      const { logRun } = await import('./log/run.ts')
      finish(await logRun(input, options))
    })
}

function importRun(finish: Finish): Command {
  return subcommand('import', 'Log the attempts of an earlier run that are not logged yet.', WRITTEN)
    .argument('<run>', 'a run: its id or the beginning of it, latest, its folder, or a results.jsonl')
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('--json', 'what was logged, as one JSON document')
    .addHelpText('after', example('assay log import latest'))
    .action(async (run, options) => {
      const { logImport } = await import('./log/import.ts')
      finish(await logImport(run, options))
    })
}

function asking(command: Command): Command {
  return command
    .option('--target <name>', 'the target that answers; default: default')
    .option('--targets <file>', 'the targets file; default: the nearest .assay/targets.yaml')
}
