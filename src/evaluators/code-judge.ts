import { resolve } from 'node:path'
import * as z from 'zod'
import { exactlyOne } from '../lib/schema-rules.ts'
import type { FileReference } from '../model/evaluator.ts'
import { Unjudged } from '../model/grade.ts'
import { WITHOUT_GIT_VARIABLES } from '../model/program.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { judgeCommand } from './shared/program-judges/judge-command.ts'
import { judgeInput } from './shared/program-judges/judge-input.ts'
import { judgeReply } from './shared/program-judges/judge-reply.ts'
import { runJudge } from './shared/program-judges/run-judge.ts'
import { sentenceOf } from './shared/sentences.ts'

const words = z.array(z.string().min(1)).min(1)

const config = exactlyOne(
  z.strictObject({
    script: words
      .optional()
      .describe(
        'Program and arguments. Words that begin with `./` or `../` are files beside the suite; other paths after the judge are files of the folder in which it runs.',
      ),
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
  notes: [
    'In a list, words that begin with `./` or `../` are files: they start at the folder of the file that contains the check, and must exist. Other words with a leading `/`, except the first, are files from the repository root where they exist there.',
    'The judge itself may be written without `./` (`judges/check.py`, `check.py`): it is the program or, after an interpreter such as `python3` or `bash`, the first script. It is looked for beside the file that contains the check, then beside the suite, also where the workspace has a file of that name. With `cwd`, it starts there.',
    'Plain words after the judge (`report.md`) are passed as they are written, so that they are files of the folder in which it runs: the workspace of the agent. In a `command` that is a string, only the judge is looked for beside the suite: every other path, with `./` too, is one of the folder in which it runs.',
    'A judge without an interpreter before it (`[./check.py]`, also as a string) runs by the one in its first line (`#!/bin/bash`), else by its extension: `python` for `.py`, `node` for `.js`, `.mjs`, `.cjs` and `.ts`, `sh` for `.sh`. It need not be executable. Where `python` is not installed, `python3` runs; where Node cannot run TypeScript, `tsx` does if it is installed.',
    'The score is in the last JSON object on stdout that has one; what is printed around it does not matter. A score outside of 0..1, no such object, an exit code other than 0, more than 10 MB of output, or too much time: an error with the last of its stderr (of its stdout where stderr is empty), never a score of 0. What the program has started is ended with it.',
    '`target`, with which other tools let a script ask a target, is not supported. Use an `llm_judge` with that `target`, in a `composite` with the script where you need both.',
    'A type that is not built in is run in the same way: `type: my_judge` is `.assay/judges/my_judge.py` (or `.mjs`, `.js`, `.sh`, `.ts`, or an executable), with its other fields as `config`. [Judges of your own](../../guide/judges.md) shows what goes in and out.',
  ],
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
  keys: {
    unsupported: {
      target:
        'a script cannot ask a target: use an `llm_judge`, whose `target` names the one that judges, in a `composite` with this check where you need both',
    },
  },
  files: fields => {
    const key = fields.script ? 'script' : 'command'
    const words = fields[key]
    if (!Array.isArray(words)) return []
    return words.flatMap((value, index): FileReference[] => {
      if (/^\.{1,2}\//.test(value)) return [{ value, at: [key, index], need: 'presence' }]
      return index > 0 && value.startsWith('/') ? [{ value, at: [key, index], need: 'none' }] : []
    })
  },
  fromJudgeFile: (file, fields) => config.parse({ command: [file], config: fields }),
  sentences: {
    write: ({ config, type, evaluator, written_name: name, description, negate }) => {
      const command = [commandOf(config)].flat().join(' ')
      // A judge of one's own is known by its type.
      const subject = name ?? (type === evaluator.type ? command : type)
      const sentence = description === undefined ? subject : `${subject}: ${description}`
      return [sentenceOf(sentence, negate)]
    },
    omits: () => ['the program that judges'],
  },
  validate: {
    machine: async (config, files, host) => {
      const command = await judgeCommand(commandOf(config), { files, folders: [] }, host)
      return typeof command === 'object' && 'lacks' in command ? command.lacks : undefined
    },
  },
  grade: async (config, subject, context) => {
    const { host, files, home } = context
    // Where the check names a folder, its judge starts there.
    const folders = config.cwd === undefined ? [home, subject.folder] : [resolve(home, config.cwd)]
    const command = await judgeCommand(commandOf(config), { files, folders }, host)
    if (typeof command === 'object' && 'lacks' in command) throw new Unjudged('judge-missing', command.lacks)
    const cwd = config.cwd === undefined ? (subject.workspace ?? subject.folder) : resolve(home, config.cwd)
    const stdin = JSON.stringify(await judgeInput(subject, config.config ?? {}, host))
    const env = subject.workspace === undefined ? {} : WITHOUT_GIT_VARIABLES
    return judgeReply(await runJudge({ command, cwd, env, stdin, timeout_seconds: config.timeout_seconds }, context))
  },
})

function commandOf({ script, command }: z.output<typeof config>): readonly string[] | string {
  return script ?? command ?? []
}
