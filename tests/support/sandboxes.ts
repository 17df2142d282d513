import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Evaluated, evaluate, suiteWith } from './evaluation.ts'
import { folderWith } from './program.ts'

const AGENT = readFileSync(join(import.meta.dirname, 'sandboxed-agent.mjs'), 'utf8')

const made: string[] = []

/** Removes the projects of a test file. */
export function removeProjects(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** A project with a judge, an agent that runs prompts as JavaScript, and a workspace. Not in /tmp, which is another folder in a sandbox. */
export function projectFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync('/var/tmp/assay-test-')
  made.push(folder)
  return folderWith(
    {
      'agents/agent.mjs': AGENT,
      'judges/judge.mjs': 'console.log(JSON.stringify({ score: 1 }))',
      'app/a.txt': 'a',
      'app/sub/b.txt': 'b',
      'home/.ssh/id': 'secret',
      ...files,
    },
    folder,
  )
}

interface SandboxRun {
  readonly run: Evaluated
  /** What the prompt of a test returned in the sandbox. */
  returned(id: string): unknown
}

/** Runs prompts in sandboxes, by test id. `target` has other fields of the target. */
export async function runInSandbox(
  folder: string,
  prompts: Readonly<Record<string, string | object>>,
  target: object = {},
  env: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
): Promise<SandboxRun> {
  const tests = Object.entries(prompts).map(([id, test]) =>
    typeof test === 'string' ? { id, input: test } : { id, ...test },
  )
  const command = ['node', join(folder, 'agents/agent.mjs')]
  const sandboxed = { name: 'default', provider: 'cli', command, workspace: 'app', sandbox: true, ...target }
  const targets = JSON.stringify({ targets: [sandboxed] })
  folderWith({ 'EVAL.yaml': suiteWith(tests), '.assay/targets.yaml': targets }, folder)
  const run = await evaluate(folder, args, { HOME: join(folder, 'home'), ...env })
  return {
    run,
    returned: id => {
      const { answer: text, error } = run.results.get(id) ?? {}
      if (!text?.startsWith('ok ')) throw new Error(`no answer for ${id}: ${JSON.stringify(error)} ${run.stderr}`)
      return JSON.parse(text.slice(3))
    },
  }
}
