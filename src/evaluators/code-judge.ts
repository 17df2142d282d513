import { z } from 'zod'
import { exactlyOne } from '../model/key-rules.ts'
import { defineEvaluator } from './evaluator.ts'
import { negated } from './shared/negated.ts'

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
    return words.flatMap((value, index) =>
      /^\.{1,2}\//.test(value) ? [{ value, at: [key, index], need: 'presence' as const }] : [],
    )
  },
  fromJudgeFile: (file, fields) => config.parse({ command: judgeCommand(file), config: fields }),
  sentence: ({ config, written_name: name, description, negate }) => {
    const command = config.script ?? config.command ?? ''
    const subject = name ?? (typeof command === 'string' ? command : command.join(' '))
    const sentence = description === undefined ? subject : `${subject}: ${description}`
    return [negated(sentence, negate)]
  },
})

/** How a judge's file is started, by its ending. */
function judgeCommand(file: string): string[] {
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
