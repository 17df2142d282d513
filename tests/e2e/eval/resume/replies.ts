import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evalFolder } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { runFolder } from '../../../support/suite-run.ts'

/** Answers the n-th call with the n-th line of `replies`, then repeats the last; `!` exits with an error. */
export const AGENT = `q=$(cat)
n=$(cat "calls.$q" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "calls.$q"
reply=$(sed -n "\${n}p" "replies.$q"); [ -n "$reply" ] || reply=$(tail -n 1 "replies.$q")
[ "$reply" = '!' ] && { echo crashed >&2; exit 1; }
echo "$reply"
`

export const TARGET = { name: 'default', provider: 'cli', command: ['sh', 'agent.sh'], workers: 1 }

/** A folder whose agent gives these replies to each test, in order. */
export function repliesFolder(replies: Record<string, readonly string[]>, target: object = TARGET): string {
  const files = Object.entries(replies).map(([id, lines]) => [`replies.${id}`, `${lines.join('\n')}\n`])
  const tests = Object.keys(replies).map(id => ({ id, input: id }))
  return evalFolder(tests, [target], { 'agent.sh': AGENT, ...Object.fromEntries(files) })
}

export const evalIn = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })
export const infoIn = (cwd: string) => JSON.parse(readFileSync(join(runFolder(cwd), 'run.json'), 'utf8'))
export const callsOf = (cwd: string, id: string) => Number(readFileSync(join(cwd, `calls.${id}`), 'utf8'))

export async function summaryOf(cwd: string) {
  const { stdout } = await assay(['report', 'latest', '--format', 'json'], { cwd })
  return JSON.parse(stdout).summary
}
