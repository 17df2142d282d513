import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitAll, git } from './git.ts'
import { assay } from './in-process.ts'
import { folderWith, type Result } from './program.ts'
import { recordsOf } from './runs.ts'

/** The agent: a program that reads a second file, and logs each call. */
const AGENT = '. ./agent/rules.sh\necho x >> calls.log\necho "$GREETING: $(cat) $1"\n'

const TARGETS = `targets:
  - name: quick
    provider: cli
    command: [sh, agent/agent.sh]
    cwd: .
    depends_on: [agent/rules.sh]
  - name: careful
    extends: quick
    command: [sh, agent/agent.sh, careful]
  - name: grader
    provider: mock
    response: '{"score": 1, "reasoning": "fine"}'
`

const SUITE = `name: support
execution: {targets: [quick, careful]}
tests:
  - id: greets
    criteria: Greets
    input: Hi
    assert: [{type: contains, value: Hello}]
  - id: knows-policy
    criteria: Answers
    input: [{role: user, content: [{type: text, value: Read it}, {type: file, value: ./policy.md}]}]
    assert: [{type: contains, value: Hello}]
  - id: quotes-policy
    criteria: Answers
    input: [{role: user, content: [{type: text, value: Quote it}, {type: file, value: ./policy.md}]}]
    assert: [{type: contains, value: Hello}]
  - id: is-graded
    criteria: Answers
    input: Grade me
    assert: [{type: code_judge, script: [sh, ./judge.sh]}]
  - id: is-judged
    criteria: Answers
    input: Judge me
    assert: [{type: llm_judge, prompt: 'Good? {{answer}}', target: grader}]
  - id: is-wrong
    criteria: Fails
    input: Fail
    assert: [{type: contains, value: Nope}]
`

/** The file of the suite. */
export const SUITE_FILE = 'suites/support/EVAL.yaml'
export const BASELINE_FILE = '.assay/baselines/main.json'

/** A project in a real git repository, with commands that run in it. */
export interface GitProject {
  readonly cwd: string
  assay(...args: string[]): Promise<Result>
  git(...args: string[]): Promise<string>
  read(file: string): string
  write(file: string, text: string): void
  /** Replaces a text that the file must have. */
  edit(file: string, text: string, by: string): void
  commit(message: string): Promise<void>
  /** What is affected, with its reasons: `greets on quick: the input changed`. */
  affected(...args: string[]): Promise<string[]>
}

export function projectIn(cwd: string): GitProject {
  const inProject = (...args: string[]) => assay(args, { cwd })
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(cwd, file), text)
  return {
    cwd,
    assay: inProject,
    git: (...args) => git(cwd, ...args),
    read,
    write,
    edit(file, text, by) {
      const before = read(file)
      if (!before.includes(text)) throw new Error(`${file} does not have ${text}`)
      write(file, before.replace(text, by))
    },
    async commit(message) {
      await git(cwd, 'add', '-A')
      await git(cwd, 'commit', '-qm', message)
    },
    async affected(...args) {
      const { stdout } = await inProject('status', '--why', '--json', ...args)
      const { tests } = JSON.parse(stdout) as { tests: StatusLine[] }
      const found = tests.filter(({ state }) => state !== 'current')
      return found.map(({ test_id, target, reasons }) => `${test_id} on ${target}: ${reasons.join(', ')}`)
    },
  }
}

interface StatusLine {
  readonly test_id: string
  readonly target: string
  readonly state: string
  readonly reasons: readonly string[]
}

/** A project whose main branch has a suite for two targets. */
export function supportProject(): GitProject {
  return projectIn(
    folderWith({
      '.assay/targets.yaml': TARGETS,
      '.gitignore': 'calls.log\n',
      'agent/agent.sh': AGENT,
      'agent/rules.sh': 'GREETING=Hello\n',
      'suites/support/judge.sh': `echo '{"score": 1}'\n`,
      'suites/support/policy.md': 'Refunds within 30 days.\n',
      [SUITE_FILE]: SUITE,
    }),
  )
}

/** Runs all tests, saves the baseline, and commits everything to main. */
export async function withBaseline(project: GitProject): Promise<GitProject> {
  await project.assay('eval')
  await project.assay('baseline', 'save')
  await commitAll(project.cwd)
  return project
}

/** The tests that the last run has made: `greets on quick`. */
export function madeIn({ cwd }: GitProject): string[] {
  return recordsOf(cwd).map(({ test_id, target }) => `${test_id} on ${target}`)
}

/** How often the agent was called. */
export function callsIn({ cwd }: GitProject): number {
  try {
    return readFileSync(join(cwd, 'calls.log'), 'utf8').split('\n').length - 1
  } catch {
    return 0
  }
}
