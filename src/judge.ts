import type { JudgeInput, JudgeOutput } from './model/judge-protocol.ts'

export type { JudgeInput, JudgeOutput }

/**
 * Makes a program a judge: it reads what is to be judged from stdin, and prints what the function says of it.
 * What the function throws ends the program with an error, and the check is one too. Nothing else of Assay is loaded.
 */
export async function defineCodeJudge(judge: (input: JudgeInput) => JudgeOutput | Promise<JudgeOutput>): Promise<void> {
  const { stdin, stdout } = process
  if (stdin.isTTY) {
    process.stderr.write('This program judges an answer: it is run by `assay eval`, and reads JSON from stdin.\n')
    process.exitCode = 2
    return
  }
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk
  const output = await judge(JSON.parse(text))
  stdout.write(`${JSON.stringify(output)}\n`)
}
