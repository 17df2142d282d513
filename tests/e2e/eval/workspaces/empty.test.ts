import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evalFolder, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'

/** Prints what is in its folder and what Git says about it, and leaves a file. */
const AGENT = `import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const stdin = readFileSync(0, 'utf8')
const seen = {
  files: readdirSync('.'),
  root: git('rev-parse', '--show-toplevel') === process.cwd(),
  branch: git('symbolic-ref', '--short', 'HEAD'),
  inside: readdirSync(git('rev-parse', '--git-dir')),
  status: git('status', '--porcelain'),
  stdin,
}
writeFileSync('made.txt', 'made\\n')
console.log('ok ' + JSON.stringify(seen))
`

function folderFor(tests: readonly object[], target: object = {}, files: Record<string, string> = {}): string {
  const folder = evalFolder(tests, [], { 'agent.mjs': AGENT, ...files })
  const command = ['node', join(folder, 'agent.mjs')]
  const targets = [{ name: 'default', provider: 'cli', command, workspace: 'empty', ...target }]
  return folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }) }, folder)
}

function seenBy({ results }: Evaluated, id: string) {
  const { answer, error } = results.get(id) ?? expect.unreachable()
  expect(error).toBeUndefined()
  return JSON.parse((answer ?? '').slice('ok '.length))
}

describe('`workspace: empty`', () => {
  let run: Evaluated
  let cwd: string
  beforeAll(async () => {
    const tests = [
      { id: 'plain', input: 'Hello' },
      { id: 'again', input: 'Hello' },
      { id: 'prepared', input: 'Hello', execution: { setup: 'echo prepared > ready.txt' } },
      { id: 'files', input: [{ role: 'user', content: [{ type: 'file', value: 'data/notes.txt' }] }] },
      { id: 'kept', input: 'Hello', assert: [{ type: 'contains', value: 'something else' }] },
    ]
    cwd = folderFor(tests, {}, { 'data/notes.txt': 'a note\n', 'empty/decoy.txt': '' })
    // Templates and settings of the user would make attempts on other machines different.
    const gitconfig = '[init]\n\tdefaultBranch = other\n\ttemplateDir = ~/template\n'
    const HOME = folderWith({ '.gitconfig': gitconfig, 'template/hooks/post-checkout': '' })
    run = await evaluate(cwd, [], { HOME })
  })

  it('is a new repository without a commit for each attempt', () => {
    const seen = {
      files: ['.git'],
      root: true,
      branch: 'main',
      inside: ['HEAD', 'config', 'objects', 'refs'],
      status: '',
    }
    expect(seenBy(run, 'plain')).toMatchObject(seen)
    expect(seenBy(run, 'again')).toMatchObject(seen)
  })

  it('has what setup makes, and only the work of the agent as changes', () => {
    expect(seenBy(run, 'prepared')).toMatchObject({ files: ['.git', 'ready.txt'], status: '?? ready.txt' })
    const { changes } = run.results.get('prepared') ?? expect.unreachable()
    expect(changes).toMatchObject([{ path: 'made.txt', state: 'created' }])
  })

  it('has the files of the prompt', () => {
    const { files, stdin } = seenBy(run, 'files')
    expect(files).toEqual(['.git', 'data'])
    expect(stdin).toMatch(/<file path="[^"]+\/data\/notes\.txt">/)
  })

  it('stays after a failure', () => {
    const { workspace_path = '' } = run.results.get('kept') ?? expect.unreachable()
    expect(readFileSync(join(workspace_path, 'made.txt'), 'utf8')).toBe('made\n')
  })

  it('does not make a target depend on a folder that has the same name', async () => {
    writeFileSync(join(cwd, 'empty/decoy.txt'), 'changed')
    const { stdout } = await assay(['status', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ tests: [{ state: 'current' }, {}, {}, {}, {}] })
  })

  it('is a folder if it is written as a path', async () => {
    const command = 'ls && echo ok'
    const files = { 'empty/here.txt': '' }
    const folder = folderFor([{ id: 'one', input: 'Hello' }], { command, workspace: './empty' }, files)
    expect((await evaluate(folder)).results.get('one')?.answer).toBe('here.txt\nok')
    const bare = folderFor([{ id: 'one', input: 'Hello' }], { workspace: './empty' })
    expect((await assay(['validate'], { cwd: bare })).stdout).toContain('the folder ./empty does not exist')
  })

  it('contains `cwd`, which setup may create', async () => {
    const inside = folderFor([{ id: 'one', input: 'Hello' }], { cwd: 'app', setup: 'mkdir app' })
    const { answer, error } = (await evaluate(inside)).results.get('one') ?? expect.unreachable()
    expect(error).toBeUndefined()
    expect(answer).toContain('"root":false')
    const outside = folderFor([{ id: 'one', input: 'Hello' }], {})
    const targets = { targets: [{ name: 'default', provider: 'cli', command: 'x', workspace: 'empty', cwd: outside }] }
    folderWith({ '.assay/targets.yaml': JSON.stringify(targets) }, outside)
    expect((await assay(['validate'], { cwd: outside })).stdout).toContain('which is outside the workspace')
  })
})
