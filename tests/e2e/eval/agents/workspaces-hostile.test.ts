import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeHost } from '../../../../src/host/node.ts'
import type { AnswerRecord } from '../../../../src/model/answer.ts'
import type { Prompt } from '../../../../src/model/prompt.ts'
import { NotRun } from '../../../../src/run/ask.ts'
import { useWorkspace } from '../../../../src/run/policies/workspace.ts'
import { Workspaces } from '../../../../src/run/workspaces.ts'
import { type Evaluated, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { assayUnprivileged, folderWith } from '../../../support/program.ts'
import { type Recorded, recordsIn, resultsIn, runFolder } from '../../../support/suite-run.ts'

// Logs its folder and the files in it, then runs the prompt as JavaScript.
const AGENT = `import * as fs from 'node:fs'
const here = process.cwd()
const names = fs.readdirSync('.', { recursive: true }).sort()
const prompt = fs.readFileSync(0, 'utf8').split('\\n').at(-1)
fs.appendFileSync(process.env.SEEN, JSON.stringify({ id: process.argv[2], here, names }) + '\\n')
await eval('(async (fs, here) => {' + prompt + '})')(fs, here)
console.log('ok')
`

const OWN = `export default {
  config: { safeParse: data => ({ success: true, data }) },
  answer: async () => ({ text: 'ok', workspace_path: process.env.MINE }),
}
`

interface AgentReport {
  readonly id: string
  readonly here: string
  readonly names: readonly string[]
}

const JUDGED = { assert: [{ type: 'code_judge', command: `echo '{"score": 1}'` }] }
const FAILS = { assert: [{ type: 'contains', value: 'something else' }] }

/** A suite whose prompts are JavaScript for the agent above. */
function suiteFolder(tests: readonly object[], targets: Record<string, (folder: string) => object>): string {
  const folder = folderWith({
    'agent.mjs': AGENT,
    'own.mjs': OWN,
    'EVAL.yaml': suiteWith(tests),
    'app/a.txt': 'a',
    'elsewhere/b.txt': 'b',
    'mine/b.txt': 'b',
    'shared/b.txt': 'b',
  })
  const all = Object.entries(targets).map(([name, fields]) => ({
    name,
    provider: 'cli',
    command: ['node', join(folder, 'agent.mjs'), '{TEST_ID}'],
    env: { SEEN: join(folder, 'seen.jsonl') },
    ...fields(folder),
  }))
  return folderWith({ '.assay/targets.yaml': JSON.stringify({ targets: all }) }, folder)
}

const agentReports = (folder: string): AgentReport[] => recordsIn(join(folder, 'seen.jsonl'))
const on = (target: string) => ({ execution: { target } })

describe('an agent in a workspace', () => {
  let folder: string
  let first: Evaluated
  let resumed: Evaluated
  let rerun: Evaluated
  const reportsOf = (id: string) => agentReports(folder).filter(each => each.id === id)

  beforeAll(async () => {
    const remove = 'fs.rmSync(here, { recursive: true });'
    const link = 'fs.symlinkSync(process.env.SEEN.replace("seen.jsonl", "elsewhere"),'
    const conversation = { conversation_id: 'talk', input: 'fs.writeFileSync("left.txt", "")' }
    folder = suiteFolder(
      [
        { id: 'deletes-it', input: remove },
        { id: 'deletes-it-before-judges', input: remove, ...JUDGED },
        { id: 'makes-it-a-file', input: `${remove} fs.writeFileSync(here, "")`, ...JUDGED },
        { id: 'makes-it-a-link', input: `${remove} ${link} here)` },
        { id: 'links-out-of-it', input: `${link} "out")` },
        { id: 'fails', input: 'fs.writeFileSync("left.txt", "")', ...FAILS },
        { id: 'talk-1', ...conversation },
        { id: 'talk-2', ...conversation },
        { id: 'trials', input: 'fs.writeFileSync("left.txt", "")', execution: { trials: 2 } },
        { id: 'absolute', input: '', ...on('absolute') },
        { id: 'self-1', input: '', ...on('self') },
        { id: 'self-2', input: '', ...on('self') },
        { id: 'own', input: '', ...on('own') },
        { id: 'recorded', input: '' },
      ],
      {
        default: () => ({ workspace: 'app' }),
        absolute: folder => ({ workspace: 'app', cwd: join(folder, 'app') }),
        self: () => ({ workspace: '.', workers: 1 }),
        own: () => ({ provider: './own.mjs', command: undefined, env: undefined }),
      },
    )
    first = await evaluate(folder, [], { MINE: join(folder, 'mine') })
    // As if the answer and its workspace came from another machine.
    const [answers, results] = ['answers', 'results'].map(name => join(runFolder(folder), `${name}.jsonl`))
    const rewrite = <R extends { test_id: string }>(path = '', change: (record: R) => R | undefined) => {
      const lines = recordsIn<R>(path).flatMap(
        record => (record.test_id === 'recorded' ? change(record) : record) ?? [],
      )
      writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    }
    rewrite<Recorded>(results, () => undefined)
    const workspace_path = join(folder, 'shared')
    rewrite<AnswerRecord>(answers, record => ({ ...record, answer: { ...record.answer, workspace_path } }))
    resumed = await evaluate(folder, ['--resume'])
    rerun = await evaluate(folder, ['--rerun-failed'])
  })

  it('may delete it', () => {
    expect(first.results.get('deletes-it')?.verdict).toBe('pass')
  })

  it.each(['deletes-it-before-judges', 'makes-it-a-file'])('leaves judges without a workspace: %s', id => {
    const { error, workspace_path = '' } = first.results.get(id) ?? expect.unreachable(first.stderr)
    expect(error).toMatchObject({ code: 'judge-missing', message: expect.stringContaining(workspace_path) })
  })

  it.each(['makes-it-a-link', 'links-out-of-it'])('cannot cause anything outside to be removed: %s', id => {
    const { verdict, workspace_path } = first.results.get(id) ?? expect.unreachable(first.stderr)
    expect({ verdict, workspace_path }).toEqual({ verdict: 'pass', workspace_path: undefined })
    expect(existsSync(reportsOf(id)[0]?.here ?? '')).toBe(false)
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['b.txt'])
  })

  it('cannot cause the folder of a custom provider to be removed', () => {
    expect(first.results.get('own')?.verdict).toBe('pass')
    expect(existsSync(join(folder, 'mine/b.txt'))).toBe(true)
  })

  it('cannot cause a folder named in records to be removed', () => {
    expect(resumed.results.get('recorded')?.verdict).toBe('pass')
    expect(existsSync(join(folder, 'shared/b.txt'))).toBe(true)
  })

  it('works in the copy even if `cwd` is an absolute path', () => {
    expect(reportsOf('absolute')).toHaveLength(1)
    expect(reportsOf('absolute')[0]?.here).not.toBe(join(folder, 'app'))
  })

  it('sees nothing of other attempts, even if the workspace is the folder of the suite', () => {
    const names = ['self-1', 'self-2'].flatMap(id => reportsOf(id)[0]?.names ?? [])
    expect(names).toContain('EVAL.yaml')
    expect(names.filter(name => name.startsWith('.assay/runs'))).toEqual([])
  })

  it('gets a fresh one in each turn of a conversation, and in each trial', () => {
    const all = ['talk-1', 'talk-2', 'trials'].flatMap(reportsOf)
    expect(all.map(({ names }) => names)).toEqual([['a.txt'], ['a.txt'], ['a.txt'], ['a.txt']])
    expect(new Set(all.map(({ here }) => here)).size).toBe(4)
  })

  it('gets a fresh one for a retry', () => {
    expect(rerun.results.get('fails')?.workspace_path).toBe(reportsOf('fails')[1]?.here)
    expect(reportsOf('fails').map(({ names }) => names)).toEqual([['a.txt'], ['a.txt']])
    expect(reportsOf('talk-1')).toHaveLength(1)
  })
})

describe('file permissions in a workspace', () => {
  let results: ReadonlyMap<string, Recorded>
  let folder: string
  beforeAll(async () => {
    folder = suiteFolder(
      [
        { id: 'read-only-file', input: 'fs.readFileSync("a.txt")', input_files: ['app/a.txt'] },
        { id: 'read-only-folder', input: 'fs.mkdirSync("d"); fs.writeFileSync("d/f", ""); fs.chmodSync("d", 0o555)' },
        { id: 'closed-folder', input: '', ...on('closed') },
        { id: 'closed-file', input: '', ...on('closed-file') },
      ],
      {
        default: () => ({ workspace: 'app' }),
        closed: () => ({ workspace: 'closed' }),
        'closed-file': () => ({ workspace: 'other' }),
      },
    )
    folderWith({ 'closed/a.txt': '', 'closed/.in/b.txt': '', 'other/a.txt': '' }, folder)
    execFileSync('git', ['init', '-q'], { cwd: join(folder, 'closed') })
    execFileSync('git', ['add', '.'], { cwd: join(folder, 'closed') })
    mkdirSync(join(folder, 'tmp'))
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', folder])
    chmodSync(join(folder, 'app/a.txt'), 0o444)
    chmodSync(join(folder, 'closed/.in'), 0)
    chmodSync(join(folder, 'other/a.txt'), 0)
    await assayUnprivileged(['eval'], { cwd: folder, env: { TMPDIR: join(folder, 'tmp'), HOME: folder } })
    results = new Map(resultsIn(folder).map(result => [result.test_id, result]))
    chmodSync(join(folder, 'closed/.in'), 0o755)
  })

  it('may be read-only for an input file', () => {
    expect(results.get('read-only-file')?.error).toBeUndefined()
  })

  it('may be read-only for a folder, which is removed after a pass', () => {
    const { verdict, workspace_path } = results.get('read-only-folder') ?? expect.unreachable()
    expect({ verdict, workspace_path }).toEqual({ verdict: 'pass', workspace_path: undefined })
  })

  it.each(['closed-folder', 'closed-file'])('are an error if a part is unreadable: %s', id => {
    expect(results.get(id)?.error).toMatchObject({ code: 'bad-workspace', stage: 'answer' })
  })
})

describe('a workspace that takes too long to copy', () => {
  it('is abandoned when the run is stopped', async () => {
    const folder = folderWith({ 'app/a': '' })
    const wait = `touch "${folder}/started"; until [ -e "${folder}/enough" ]; do sleep 0.1; done`
    folderWith({ 'bin/git': `#!/bin/sh\n${wait}\nexit 1\n` }, folder)
    chmodSync(join(folder, 'bin/git'), 0o755)
    vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env['PATH']}`)
    const host = nodeHost()
    const run = new AbortController()
    let outcome: unknown
    const ask = useWorkspace(join(folder, 'app'), new Workspaces(host), host)(async () => ({ text: 'ok' }))
    const asked = ask({ messages: [], folder } as unknown as Prompt, run).then(
      () => (outcome = 'answered'),
      error => (outcome = error),
    )
    await expect.poll(() => existsSync(join(folder, 'started')), { timeout: 60_000 }).toBe(true)
    run.abort(new NotRun('stopped'))
    try {
      await expect.poll(() => outcome, { timeout: 60_000 }).toBeInstanceOf(NotRun)
    } finally {
      writeFileSync(join(folder, 'enough'), '')
      await asked
      vi.unstubAllEnvs()
    }
  })
})
