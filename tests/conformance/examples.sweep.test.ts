import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')

// `npm run check` runs the commands of their pages, most of which are the same; this is for the newest Node.
const has = (name: string, file: string) => existsSync(join(EXAMPLES, name, file))
const runnable = readdirSync(EXAMPLES).filter(
  name => has(name, '.assay/targets.yaml') && (has(name, 'EVAL.yaml') || has(name, 'evals')),
)

it.each(runnable)('the example %s runs offline', async name => {
  const cwd = folderWith()
  cpSync(EXAMPLES, join(cwd, 'examples'), { recursive: true })
  // Like a project that installed assay: judges can import `assay/judge`.
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(join(EXAMPLES, '..'), join(cwd, 'node_modules/assay'))
  const { code, stdout } = await assay(['eval', `examples/${name}`, '--json'], { cwd })
  const results: { verdict: string; control?: true }[] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  // A control arm is there to be worse.
  const verdicts = results.filter(({ control }) => !control).map(({ verdict }) => verdict)
  if (name === 'one-failure') expect([code, verdicts.sort()]).toEqual([1, ['borderline', 'fail', 'pass']])
  else if (name === 'known-failures') expect([code, verdicts.sort()]).toEqual([0, ['fail', 'fail', 'pass']])
  // Its judge is wrong on purpose.
  else if (name === 'calibrated-judge') expect([code, verdicts.length]).toEqual([1, 30])
  else expect([code, new Set(verdicts)]).toEqual([0, new Set(['pass'])])
})
