import { resolve } from 'node:path'
import { lazily } from '../lib/lazily.ts'
import { exactlyOne } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import type { FileReference } from '../model/evaluator.ts'
import { Unjudged } from '../model/grade.ts'
import { WITHOUT_GIT_VARIABLES } from '../model/program.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { judgeCommand } from './shared/program-judges/judge-command.ts'
import { judgeInput } from './shared/program-judges/judge-input.ts'
import { judgeReply } from './shared/program-judges/judge-reply.ts'
import { runJudge } from './shared/program-judges/run-judge.ts'
import { sentenceOf } from './shared/sentences.ts'

const words = lazily(() => z.array(z.string().min(1)).min(1))

const config = lazily(() =>
  exactlyOne(
    z.strictObject({
      script: words()
        .optional()
        .describe(
          'Program and arguments. Arguments that begin with `./` or `../` are files next to the suite; other paths after the judge are files in its working folder.',
        ),
      command: z
        .union([words(), z.string().min(1)])
        .optional()
        .describe('The same as `script`; a string runs in the shell.'),
      cwd: z
        .string()
        .min(1)
        .optional()
        .describe('Working folder. Default: the workspace of the test, else the folder of the suite.'),
      config: z.record(z.string(), z.unknown()).optional().describe('Settings that the judge receives as `config`.'),
      timeout_seconds: z.number().gt(0).max(3600).default(60).describe('Maximum duration in seconds.'),
    }),
    'script',
    'command',
  ),
)

export const codeJudge = defineEvaluator({
  type: 'code_judge',
  aliases: ['code_grader'],
  summary: 'Your own program reads the answer as JSON on stdin and prints a score.',
  notes: [
    'In a list, arguments that begin with `./` or `../` are files relative to the file that contains the check; they must exist. Arguments with a leading `/`, except the first, are files from the repository root if they exist there.',
    'You can write the judge itself without `./` (`judges/check.py`, `check.py`). The judge is the program or, after an interpreter such as `python3` or `bash`, the first script. It is looked up next to the file that contains the check, then next to the suite, even if the workspace has a file of that name. With `cwd`, it is looked up there.',
    'Other arguments after the judge (`report.md`) are passed unchanged, so they name files in its working folder: the workspace of the agent. In a `command` that is a string, only the judge is looked up next to the suite: every other path, also with `./`, is relative to the working folder.',
    'A judge without an interpreter before it (`[./check.py]`, also as a string) runs with the interpreter in its first line (`#!/bin/bash`), else with the one of its extension: `python` for `.py`, `node` for `.js`, `.mjs`, `.cjs` and `.ts`, `sh` for `.sh`. It does not have to be executable. If `python` is not installed, `python3` is used; if Node cannot run TypeScript, `tsx` is used if it is installed.',
    'The last JSON object on stdout with a score is used; other output is ignored. A score outside of 0..1, no such object, a non-zero exit code, more than 10 MB of output or a timeout is an error with the end of stderr (of stdout if stderr is empty), never a score of 0. Processes that the judge has started end with it.',
    '`target`, with which scripts of other tools can ask a target, is not supported. Use an `llm_judge` with that `target`, or a `composite` of both.',
    'A type that is not built in runs in the same way: `type: my_judge` runs `.assay/judges/my_judge.py` (or `.mjs`, `.js`, `.sh`, `.ts`, or an executable), with its other fields as `config`. See [Judges of your own](../../guide/judges.md) for input and output.',
  ],
  config,
  examples: [
    {
      title: 'A Python script',
      check: { type: 'code_judge', name: 'format', script: ['python', './judges/format.py'] },
    },
    {
      title: 'With settings',
      check: { type: 'code_judge', command: ['node', './judges/length.mjs'], config: { max_words: 100 } },
    },
  ],
  keys: {
    literal: ['script', 'command', 'cwd'],
    unsupported: {
      target: 'a script cannot ask a target: use an `llm_judge` with this `target`, or a `composite` of both checks',
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
  fromJudgeFile: (file, fields) => config().parse({ command: [file], config: fields }),
  sentences: {
    write: ({ config, type, evaluator, written_name: name, description, negate }) => {
      const command = [commandOf(config)].flat().join(' ')
      // A check whose type is a judge file is named after the type.
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
    // With `cwd`, the judge is looked up there.
    const folders = config.cwd === undefined ? [home, subject.folder] : [resolve(home, config.cwd)]
    const command = await judgeCommand(commandOf(config), { files, folders }, host)
    if (typeof command === 'object' && 'lacks' in command) throw new Unjudged('judge-missing', command.lacks)
    const cwd = config.cwd === undefined ? (subject.workspace ?? subject.folder) : resolve(home, config.cwd)
    const stdin = JSON.stringify(await judgeInput(subject, config.config ?? {}, host))
    const env = subject.workspace === undefined ? {} : WITHOUT_GIT_VARIABLES
    return judgeReply(await runJudge({ command, cwd, env, stdin, timeout_seconds: config.timeout_seconds }, context))
  },
})

function commandOf({ script, command }: z.output<ReturnType<typeof config>>): readonly string[] | string {
  return script ?? command ?? []
}
