import { resolve } from 'node:path'
import { z } from 'zod'
import { Unjudged } from '../model/grade.ts'
import { exactlyOne } from '../model/key-rules.ts'
import { defineEvaluator, type FileReference } from './evaluator.ts'
import { judgeCommand } from './shared/judge-command.ts'
import { judgePayload } from './shared/judge-payload.ts'
import { judgeReply } from './shared/judge-reply.ts'
import { negated } from './shared/negated.ts'
import { runJudge } from './shared/run-judge.ts'

const words = z.array(z.string().min(1)).min(1)

const config = exactlyOne(
  z.strictObject({
    script: words
      .optional()
      .describe('Program and arguments. Words that begin with `./` or `../` are files beside the suite.'),
    command: z
      .union([words, z.string().min(1)])
      .optional()
      .describe('The same as a list, or as a string for the shell.'),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe('Where it runs. Default: the workspace of the test, else the folder of the suite.'),
    config: z.record(z.string(), z.unknown()).optional().describe('Settings that the judge receives as `config`.'),
    timeout_seconds: z.number().gt(0).max(3600).default(60).describe('How long it may take.'),
  }),
  'script',
  'command',
)

export const codeJudge = defineEvaluator({
  type: 'code_judge',
  aliases: ['code_grader'],
  summary: 'A program of yours reads the answer as JSON on stdin and prints a score.',
  config,
  examples: [
    {
      title: 'A Python script',
      check: { type: 'code_judge', name: 'format', script: ['python', './judges/format.py'] },
    },
    {
      title: 'With settings of its own',
      check: { type: 'code_judge', command: ['node', './judges/length.mjs'], config: { max_words: 100 } },
    },
  ],
  files: fields => {
    const key = fields.script ? 'script' : 'command'
    const words = fields[key]
    if (!Array.isArray(words)) return []
    return words.flatMap((value, index): FileReference[] => {
      if (/^\.{1,2}\//.test(value)) return [{ value, at: [key, index], need: 'presence' }]
      return index > 0 && value.startsWith('/') ? [{ value, at: [key, index], need: 'none' }] : []
    })
  },
  fromJudgeFile: (file, fields) => config.parse({ command: judgeFileCommand(file), config: fields }),
  sentence: ({ config, written_name: name, description, negate }) => {
    const command = commandOf(config)
    const subject = name ?? (typeof command === 'string' ? command : command.join(' '))
    const sentence = description === undefined ? subject : `${subject}: ${description}`
    return [negated(sentence, negate)]
  },
  lacks: async (config, files, host) => {
    const command = await judgeCommand(commandOf(config), files, host)
    return typeof command === 'object' && 'lacks' in command ? command.lacks : undefined
  },
  grade: async (config, subject, context) => {
    const { host, files, home } = context
    const command = await judgeCommand(commandOf(config), files, host)
    if (typeof command === 'object' && 'lacks' in command) throw new Unjudged('judge-missing', command.lacks)
    const cwd = config.cwd === undefined ? subject.folder : resolve(home, config.cwd)
    const stdin = JSON.stringify(await judgePayload(subject, config.config ?? {}, host))
    const stdout = await runJudge({ command, cwd, stdin, timeout_seconds: config.timeout_seconds }, context)
    return judgeReply(stdout)
  },
})

function commandOf({ script, command }: z.output<typeof config>): readonly string[] | string {
  return script ?? command ?? []
}

/** How a judge's file is started, by its ending. */
function judgeFileCommand(file: string): string[] {
  const runner = RUNNERS.find(([ending]) => file.endsWith(ending))?.[1]
  return runner ? [runner, file] : [file]
}

const RUNNERS = [
  ['.mjs', 'node'],
  ['.js', 'node'],
  ['.ts', 'node'],
  ['.py', 'python'],
  ['.sh', 'sh'],
] as const
