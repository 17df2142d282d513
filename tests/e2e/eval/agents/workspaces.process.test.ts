import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runAgents } from '../../../support/agents.ts'
import { type Evaluated, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { assay, folderWith } from '../../../support/program.ts'
import { resultsIn } from '../../../support/suite-run.ts'

// Runs the prompt in its working folder, and reports the files in it.
const AGENT = `import { appendFileSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
const prompt = readFileSync(0, 'utf8')
const names = readdirSync('.', { recursive: true }).sort()
const read = name => (existsSync(name) ? readFileSync(name, 'utf8') : undefined)
const seen = {
  cwd: process.cwd(),
  names,
  links: names.filter(name => lstatSync(name).isSymbolicLink()),
  runs: existsSync('run.sh') && (statSync('run.sh').mode & 0o111) !== 0,
  shared: read('shared.txt'),
  index: process.env.GIT_INDEX_FILE,
  prompt,
}
appendFileSync(process.env.SEEN, JSON.stringify(seen) + '\\n')
const [, word, ...rest] = /^(\\w+) ?([^]*)/.exec(prompt) ?? []
if (word === 'write') writeFileSync(rest[0].split('\\n')[0], 'made by ' + prompt)
if (word === 'spoil') for (const name of names) if (existsSync(name) && statSync(name).isFile()) writeFileSync(name, 'spoilt')
if (word === 'wait') await new Promise(resolve => setTimeout(resolve, 300))
if (word === 'crash') {
  writeFileSync('half.txt', 'half')
  process.exit(3)
}
console.log('ok')
`

// Passes if the configured file is in the workspace, and if the judge runs there.
const JUDGE = `import { existsSync, readFileSync } from 'node:fs'
const { workspace_path, config } = JSON.parse(readFileSync(0, 'utf8'))
const isHere = process.cwd() === workspace_path && process.env.GIT_INDEX_FILE === undefined
console.log(JSON.stringify({ score: isHere && existsSync(config.file) ? 1 : 0, reasoning: process.cwd() }))
`

interface AgentReport {
  readonly cwd: string
  readonly names: readonly string[]
  readonly links: readonly string[]
  readonly runs: boolean
  readonly shared?: string
  readonly index?: string
  readonly prompt: string
}

const judgeCheck = (file: string) => [{ type: 'code_judge', script: ['node', './judge.mjs'], config: { file } }]

function suiteFolder(tests: readonly object[], target: object = {}): string {
  const folder = folderWith({
    'agent.mjs': AGENT,
    'judge.mjs': JUDGE,
    'EVAL.yaml': suiteWith(tests),
    'notes/a.txt': 'a note\n',
    'outside/big.txt': 'from outside',
    'app/src/main.py': 'print(1)\n',
    'app/run.sh': '#!/bin/sh\n',
    'app/.gitignore': 'ignored.txt\nbuild/\n',
    'app/ignored.txt': 'x',
    'app/build/out.js': 'x',
    'app/.hidden/x': '',
    'app/with space é.txt': 'x',
  })
  const targets = [
    {
      name: 'default',
      provider: 'cli',
      command: ['node', join(folder, 'agent.mjs')],
      workspace: 'app',
      env: { SEEN: join(folder, 'seen.jsonl') },
      ...target,
    },
  ]
  folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }) }, folder)
  execFileSync('chmod', ['+x', join(folder, 'app/run.sh')])
  symlinkSync('src/main.py', join(folder, 'app/inside'))
  symlinkSync('../outside', join(folder, 'app/linked'))
  symlinkSync('../outside/big.txt', join(folder, 'app/shared.txt'))
  symlinkSync('..', join(folder, 'app/above'))
  symlinkSync('nowhere', join(folder, 'app/dangling'))
  return folder
}

const agentReports = (folder: string): AgentReport[] =>
  readFileSync(join(folder, 'seen.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

describe('a workspace', () => {
  let folder: string
  let run: Evaluated
  let reportOf: (word: string) => AgentReport
  beforeAll(async () => {
    const many = Array.from({ length: 6 }, (_, n) => ({
      id: `same-time-${n}`,
      input: `wait ${n}`,
      execution: { trials: 1 },
    }))
    folder = suiteFolder([
      { id: 'passes', input: 'write made.txt', assert: judgeCheck('made.txt') },
      { id: 'fails', input: 'write made.txt', assert: judgeCheck('other.txt') },
      { id: 'crashes', input: 'crash' },
      { id: 'spoils', input: 'spoil' },
      { id: 'reads', input: 'please read', input_files: ['notes/a.txt', 'app/src/main.py', 'app/ignored.txt'] },
      ...many,
    ])
    execFileSync('git', ['init', '-q'], { cwd: folder })
    // As in a git hook, whose index does not belong to the copy.
    run = await evaluate(folder, ['--workers', '6'], { GIT_INDEX_FILE: join(folder, '.git/index.lock') })
    reportOf = word =>
      agentReports(folder).find(({ prompt }) => prompt.includes(word)) ?? expect.unreachable(run.stderr)
  })

  it('is a copy of the folder without ignored files', () => {
    expect(reportOf('crash').names).toEqual(
      [
        '.gitignore',
        '.hidden',
        '.hidden/x',
        'dangling',
        'inside',
        'linked',
        'linked/big.txt',
        'run.sh',
        'shared.txt',
        'src',
        'src/main.py',
        'with space é.txt',
      ].sort(),
    )
    expect(reportOf('crash').runs).toBe(true)
  })

  it('has no git variables of a hook, neither for the agent nor for judges', () => {
    expect(agentReports(folder).map(({ index }) => index)).toEqual(agentReports(folder).map(() => undefined))
    expect(run.results.get('passes')?.verdict).toBe('pass')
  })

  it('keeps links inside it, and copies the targets of links to outside', () => {
    expect(reportOf('crash').links).toEqual(['dangling', 'inside'])
    expect(reportOf('crash').shared).toBe('from outside')
  })

  it('protects the original folder from the agent', () => {
    expect(run.results.get('spoils')?.verdict).toBe('pass')
    expect(readFileSync(join(folder, 'app/src/main.py'), 'utf8')).toBe('print(1)\n')
    expect(readFileSync(join(folder, 'outside/big.txt'), 'utf8')).toBe('from outside')
  })

  it('is used by judges, and removed after a pass', () => {
    const { verdict, workspace_path, evaluator_results } = run.results.get('passes') ?? expect.unreachable(run.stderr)
    expect({ verdict, workspace_path }).toEqual({ verdict: 'pass', workspace_path: undefined })
    const was = evaluator_results[0]?.reasoning ?? ''
    expect(was).not.toBe('')
    expect(existsSync(was)).toBe(false)
  })

  it('is kept after a failure, with its path in the record', () => {
    const { verdict, workspace_path = '' } = run.results.get('fails') ?? expect.unreachable(run.stderr)
    expect(verdict).toBe('fail')
    expect(readFileSync(join(workspace_path, 'made.txt'), 'utf8')).toBe('made by write made.txt')
    expect(run.stderr).toContain(`workspace: ${workspace_path}`)
  })

  it('is kept after an error, with its path in the record', () => {
    const { verdict, workspace_path = '' } = run.results.get('crashes') ?? expect.unreachable(run.stderr)
    expect(verdict).toBe('error')
    expect(readFileSync(join(workspace_path, 'half.txt'), 'utf8')).toBe('half')
    expect(run.stderr).toContain(`workspace: ${workspace_path}`)
  })

  it('contains the input files, at the paths in the prompt', () => {
    const { prompt, names, cwd } = reportOf('please read')
    expect(names).toContain('notes/a.txt')
    expect(names).toContain('ignored.txt')
    const paths = [...prompt.matchAll(/<file path="(.*?)"/g)].map(([, path]) => path)
    expect(paths).toEqual(['notes/a.txt', 'src/main.py', 'ignored.txt'].map(name => join(cwd, name)))
  })

  it('belongs to a single attempt', () => {
    const waiting = agentReports(folder).filter(({ prompt }) => prompt.startsWith('wait'))
    expect(new Set(waiting.map(({ cwd }) => cwd)).size).toBe(6)
    expect(waiting.every(({ names }) => !names.includes('made.txt'))).toBe(true)
  })
})

describe('workspaces in special cases', () => {
  it('are complete copies outside git, with `cwd` as a folder in them', async () => {
    const folder = suiteFolder([{ id: 'a', input: 'look' }], { cwd: 'src' })
    await evaluate(folder)
    const [{ cwd, names } = expect.unreachable()] = agentReports(folder)
    expect(names).toEqual(['main.py'])
    expect(cwd).toMatch(/\/src$/)
    expect(existsSync(cwd)).toBe(false)
  })

  it('are fresh for each retry of an attempt', async () => {
    const agents = await runAgents(
      {
        again: {
          provider: 'claude_cli',
          stream: 'claude-500',
          env: { REPLAY_EXIT: '1' },
          target: { retries: 1, workspace: 'app' },
        },
      },
      { 'app/a.txt': 'a' },
    )
    const [first, second, ...others] = agents.calls('again').map(({ cwd }) => cwd)
    expect(others).toEqual([])
    expect(first).not.toBe(second)
    expect(existsSync(first ?? '')).toBe(false)
    expect(agents.record('again').workspace_path).toBe(second)
    expect(existsSync(second ?? '')).toBe(true)
  })

  it('disable the cache, with a notice', async () => {
    const folder = suiteFolder([{ id: 'a', input: 'look' }])
    const first = await evaluate(folder, ['--cache'])
    await evaluate(folder, ['--cache'])
    expect(agentReports(folder)).toHaveLength(2)
    expect(first.stderr).toContain('answers of default are not cached')
  })

  it('are an error of the attempt if the folder cannot be copied', async () => {
    const folder = suiteFolder([{ id: 'a', input: 'look' }])
    execFileSync('git', ['init', '-q'], { cwd: folder })
    // As in a container where another user owns the files, and git does not list ignored files.
    const { results, code } = await evaluate(folder, [], { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })
    expect(code).toBe(3)
    expect(results.get('a')?.error).toMatchObject({
      code: 'bad-workspace',
      stage: 'answer',
      message: expect.stringContaining('git cannot list the files: fatal: detected dubious ownership'),
    })
  })
})

describe('--resume with a workspace', () => {
  // On its first call, the judge kills the run.
  const KILLING = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
if (!existsSync(process.env.MARK)) {
  writeFileSync(process.env.MARK, '')
  process.kill(process.ppid, 'SIGKILL')
}
const { workspace_path } = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify({ score: existsSync(workspace_path + '/made.txt') ? 1 : 0 }))
`
  const evaluateInProgram = async (folder: string, args: readonly string[], env: NodeJS.ProcessEnv) => {
    const { code } = await assay(['eval', ...args], { cwd: folder, env })
    return { code, verdict: resultsIn(folder)[0]?.verdict }
  }
  const interrupted = async () => {
    const folder = suiteFolder([
      { id: 'a', input: 'write made.txt', assert: [{ type: 'code_judge', script: ['node', './killing.mjs'] }] },
    ])
    folderWith({ 'killing.mjs': KILLING }, folder)
    const env = { MARK: join(folder, 'mark') }
    expect((await evaluateInProgram(folder, [], env)).code).toBeNull()
    return { folder, env }
  }

  it('grades an answer in its workspace', async () => {
    const { folder, env } = await interrupted()
    expect((await evaluateInProgram(folder, ['--resume'], env)).verdict).toBe('pass')
    expect(agentReports(folder)).toHaveLength(1)
    expect(existsSync(agentReports(folder)[0]?.cwd ?? '')).toBe(false)
  })

  it('asks again if its workspace is gone', async () => {
    const { folder, env } = await interrupted()
    rmSync(agentReports(folder)[0]?.cwd ?? '', { recursive: true })
    expect((await evaluateInProgram(folder, ['--resume'], env)).verdict).toBe('pass')
    expect(agentReports(folder)).toHaveLength(2)
  })
})
