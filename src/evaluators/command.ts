import { truncateStart } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import type { GradeContext } from '../model/evaluator.ts'
import type { ProgramEnd } from '../model/host.ts'
import type { Issue } from '../model/issue.ts'
import { describeOutput, findProgram } from '../model/program.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type Fact, hitsAndMisses } from './shared/fact.ts'
import { quote, quoteList } from './shared/quoting.ts'
import { sentenceOf } from './shared/sentences.ts'
import {
  type OutputCondition,
  outputCondition,
  outputFacts,
  outputIssues,
} from './shared/workspace/output-conditions.ts'
import { globIssues } from './shared/workspace/path-fields.ts'
import { runCommand } from './shared/workspace/run-command.ts'

const config = () =>
  z.strictObject({
    run: z
      .union([z.array(z.string().min(1)).min(1), z.string().min(1)])
      .describe('Program and arguments as a list, or a command line for the shell.'),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe('Folder inside of the workspace in which it runs. Default: the workspace.'),
    exit_code: z.int().min(0).max(255).default(0).describe('Expected exit code.'),
    stdout: outputCondition().optional().describe('Conditions on stdout.'),
    stderr: outputCondition().optional().describe('Conditions on stderr.'),
    timeout_seconds: z.number().gt(0).max(3600).default(60).describe('Maximum duration in seconds.'),
  })

export const command = defineEvaluator({
  type: 'command',
  summary: 'A command runs in the workspace after the agent: the tests of the code that it wrote.',
  notes: [
    'The score is the share of what is asked: the exit code, and each condition on stdout and stderr. Of a condition, `contains` and `regex` look for a part of the output, and `equals` compares all of it, ignoring a line break at the end.',
    'A command that takes longer than `timeout_seconds` scores 0: an endless loop is a fault of the code. So does a `cwd` that does not exist or leads out of the workspace, and a program of the workspace (`./build.sh`) that is missing or cannot be started. A program that is not installed (`pytest`) is not a fault of the agent: it is reported before the run if `run` is a list, and otherwise an error, as is stdout of more than 10 MB. Only the last 64 KB of stderr are kept: a condition on a longer stderr is an error.',
    'A command may write to the workspace. So commands run after all other checks of the test, one at a time, in the order of the suite; only a check that waits for a command in a `composite` (the gate of a `safety_gate`) is graded later. What a command writes is not a change by the agent. Processes that it starts end with it.',
    'The command runs the code of the agent with your permissions, in your environment without the variables of git. It gets no input. Its output is recorded, up to the last 4,000 characters of stdout and of stderr.',
    'A command needs the workspace: when `assay grade` finds that it no longer exists, the check is an error. A command in an `evals.json` is read as a rubric, and never runs.',
  ],
  config,
  examples: [
    { title: 'The test suite passes', check: { type: 'command', run: ['node', '--test'] } },
    {
      title: 'The program prints the right total',
      check: {
        type: 'command',
        run: 'node bin/total.js < data/items.txt',
        stdout: { equals: '42' },
        timeout_seconds: 10,
      },
    },
  ],
  keys: { literal: ['run', 'cwd'] },
  needs: () => ({ workspace: true }),
  alters_workspace: true,
  validate: {
    check: ({ cwd, stdout, stderr }) => [
      ...(cwd === undefined ? [] : folderIssues(cwd)),
      ...outputIssues(stdout, 'stdout'),
      ...outputIssues(stderr, 'stderr'),
    ],
    machine: async ({ run }, _, host) => {
      const [program = ''] = typeof run === 'string' ? [] : run
      // A path is a file of the workspace, which the agent may have to create.
      if (program === '' || program.includes('/')) return undefined
      return (await findProgram(program, host)) === undefined ? `\`${program}\` is not installed` : undefined
    },
  },
  sentences: {
    write: ({ config, negate }) => [sentenceOf(describe(config), negate)],
    // Not parsed: what a sentence of an evals.json says must never run.
    omits: () => ['the command'],
  },
  grade: async (config, subject, context) => {
    const ran = await runCommand(config, subject, context)
    if ('fault' in ran) return { score: 0, hits: [], misses: [ran.fault], details: ran.end && detailsOf(ran.end) }
    const facts = [exitFact(ran.end, config.exit_code), ...conditionFacts(config, ran.end, context)]
    const { hits, misses } = hitsAndMisses(facts)
    return { score: hits.length / facts.length, hits, misses, details: detailsOf(ran.end) }
  },
})

type Config = z.output<ReturnType<typeof config>>

function exitFact(end: ProgramEnd, expected: number): Fact {
  const how = end.code === undefined ? `ended by ${end.signal}` : `exit code ${end.code}`
  if (end.code === expected) return { kept: true, text: how }
  const output = `${describeOutput('stderr', end.stderr)}${describeOutput('stdout', end.stdout)}`
  return { kept: false, text: `${how}, expected exit code ${expected}${output === '' ? ', with no output' : output}` }
}

function conditionFacts({ stdout, stderr }: Config, end: ProgramEnd, { host }: GradeContext): Fact[] {
  return [
    ...(stdout ? outputFacts('stdout', end.stdout, stdout, host) : []),
    ...(stderr ? outputFacts('stderr', end.stderr, stderr, host) : []),
  ]
}

const LONGEST_OUTPUT = 4000

function detailsOf({ code, signal, stdout, stderr }: ProgramEnd) {
  return {
    ...(code === undefined ? { signal } : { exit_code: code }),
    stdout: truncateStart(stdout, LONGEST_OUTPUT),
    stderr: truncateStart(stderr, LONGEST_OUTPUT),
  }
}

function folderIssues(cwd: string): Issue[] {
  const isRoot = /^[./]+$/.test(cwd) && !cwd.includes('..') && !cwd.startsWith('/')
  // A folder has no wildcards: they are ordinary characters in its name.
  return isRoot ? [] : globIssues([{ glob: cwd.replace(/[[\]{}*?!()]/g, '_'), path: ['cwd'] }])
}

function describe({ run, cwd, exit_code, stdout, stderr, timeout_seconds }: Config): string {
  const what = typeof run === 'string' ? `Shell command ${quote(run)}` : `Program ${quoteList(run)}`
  const where = cwd === undefined ? '' : ` in ${quote(cwd)}`
  const outputs = [...describeConditions('stdout', stdout), ...describeConditions('stderr', stderr)]
  const limit = timeout_seconds === 60 ? '' : ` within ${timeout_seconds} s`
  return [`${what}${where} exits with code ${exit_code}${limit}`, ...outputs].join(', and ')
}

function describeConditions(name: string, condition: OutputCondition | undefined): string[] {
  const { contains, regex, flags, equals } = condition ?? {}
  return [
    ...(contains === undefined ? [] : [`${name} contains ${quote(contains)}`]),
    ...(regex === undefined ? [] : [`${name} matches regex${flags ? ` with flags ${flags}` : ''}: ${quote(regex)}`]),
    ...(equals === undefined ? [] : [`${name} equals ${quote(equals)}`]),
  ]
}
