import { existsSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isBelow } from '../../../../src/lib/paths.ts'
import { describeWithBubblewrap } from '../../../support/external/bubblewrap.ts'
import { folderWith, run } from '../../../support/program.ts'
import { projectFolder, removeProjects, runInSandbox } from '../../../support/sandboxes.ts'
import { type Server, serve } from '../../../support/servers/server.ts'

const quoted = (value: unknown) => JSON.stringify(value)
/** Lists folders and reads files. */
const look = (...paths: string[]) =>
  `return ${quoted(paths)}.map(path => attempt(() => fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path, 'utf8')))`
/** Tries to create a file in each folder. */
const write = (...folders: string[]) =>
  `return ${quoted(folders)}.map(path => attempt(() => { fs.writeFileSync(path + '/written-by-agent', ''); return 'written' }))`

describeWithBubblewrap('an agent in a sandbox', () => {
  const folder = projectFolder()
  const other = folderWith({ 'of-another-attempt.txt': 'secret' })
  const temporary = `assay-sandbox-test-${process.pid}`
  let server: Server
  let sandbox: Awaited<ReturnType<typeof runInSandbox>>
  const leftover = `${1e9 + process.pid}`

  beforeAll(async () => {
    server = await serve((_, response) => response.end('ok'))
    const port = Number(new URL(server.url).port)
    symlinkSync('/nowhere/at/all', join(folder, 'app/broken'))
    const script =
      'console.log(JSON.stringify({ score: Number(fs.readFileSync("made/by-agent.txt", "utf8") === "a") }))'
    const judge = { type: 'code_judge', command: ['node', '-e', script] }
    sandbox = await runInSandbox(
      folder,
      {
        project: look(
          ...['EVAL.yaml', 'judges/judge.mjs', 'judges', '.assay', '.assay/targets.yaml', '.assay/runs'].map(name =>
            join(folder, name),
          ),
        ),
        'project-folder': look(folder, join(folder, 'agents')),
        homes: look(join(folder, 'home'), join(folder, 'home/.ssh/id'), homedir(), '/home', '/root'),
        'other-attempts': look(other, join(other, 'of-another-attempt.txt')),
        'other-files': look('/var/log', '/run', '/srv', '/media', '/mnt', '/sys', '/boot', import.meta.dirname),
        writes: write(
          '/',
          '/usr',
          '/etc',
          '/usr/local',
          '/home',
          '/proc',
          folder,
          join(folder, 'agents'),
          join(folder, 'home'),
        ),
        kernel: `return attempt(() => { fs.openSync('/proc/sys/kernel/core_pattern', 'r+'); return 'opened' })`,
        agent: `return attempt(() => { fs.appendFileSync(${quoted(join(folder, 'agents/agent.mjs'))}, '//'); return 'written' })`,
        network: `return dial(${port})`,
        tmp: `const before = fs.readdirSync('/tmp'); fs.writeFileSync('/tmp/${temporary}', 'x'); return [before, fs.readFileSync('/tmp/${temporary}', 'utf8')]`,
        home: `fs.writeFileSync(process.env.HOME + '/x', 'x'); return [process.env.HOME, fs.readdirSync(process.env.HOME)]`,
        workspace: {
          input: `fs.mkdirSync('made'); fs.writeFileSync('made/by-agent.txt', fs.readFileSync('a.txt', 'utf8')); return process.cwd()`,
          assert: [judge],
        },
        link: `fs.symlinkSync(${quoted(join(folder, 'EVAL.yaml'))}, 'link'); return attempt(() => fs.readFileSync('link', 'utf8'))`,
        processes: `return fs.readdirSync('/proc').filter(name => /^\\d+$/.test(name)).map(pid => fs.readFileSync('/proc/' + pid + '/comm', 'utf8').trim())`,
        leaves: `const { spawn } = await import('node:child_process'); spawn('sleep', ['${leftover}'], { detached: true, stdio: 'ignore' }).unref(); return 'left'`,
        capabilities: `return fs.readFileSync('/proc/self/status', 'utf8').match(/^CapEff:\\t(.*)$/m)[1]`,
        variables: `return Object.keys(process.env).filter(name => /KEY|SECRET|OWN|TMPDIR|GIT_DIR/.test(name)).sort()`,
      },
      { env: { OWN: '1' }, workers: 4 },
      { JUDGE_API_KEY: 'sk-judge', SOME_SECRET: 's', GIT_DIR: '/nowhere', TMPDIR: tmpdir() },
    )
  })
  afterAll(async () => {
    await server.close()
    removeProjects()
  })

  it('cannot see the suite, the judges or the folder of Assay', () => {
    expect(sandbox.returned('project')).toEqual(Array(6).fill('ENOENT'))
  })

  it('sees only its own program in the folder of the suite', () => {
    expect(sandbox.returned('project-folder')).toEqual([['agents'], ['agent.mjs']])
  })

  it('cannot see home folders', () => {
    const [home, key, ...others] = sandbox.returned('homes') as unknown[]
    expect([home, key]).toEqual(['ENOENT', 'ENOENT'])
    // Node itself may be installed in a home folder: then only the way to it is there.
    const seen = (home: string) =>
      isBelow(process.execPath, home) ? [relative(home, process.execPath).split('/')[0]] : 'ENOENT'
    expect(others).toEqual([seen(homedir()), ['sandbox'], seen('/root')])
  })

  it('cannot see other temporary folders', () => {
    expect(sandbox.returned('other-attempts')).toEqual(['ENOENT', 'ENOENT'])
  })

  it('cannot see other parts of the machine', () => {
    expect(sandbox.returned('other-files')).toEqual(Array(8).fill('ENOENT'))
  })

  it('cannot write outside of its copy', () => {
    const results = sandbox.returned('writes') as string[]
    for (const result of results) expect(['EROFS', 'ENOENT', 'EACCES']).toContain(result)
    expect(results).not.toContain('written')
    expect(['EROFS', 'EACCES', 'ENOENT']).toContain(sandbox.returned('kernel'))
    expect(sandbox.returned('agent')).toBe('EROFS')
  })

  it('has no network, not even that of its machine', () => {
    expect(sandbox.returned('network')).toBe('ECONNREFUSED')
    expect(server.calls).toEqual([])
  })

  it('has a temporary folder of its own, with nothing but its workspace', () => {
    const [before, content] = sandbox.returned('tmp') as [string[], string]
    expect(before.every(name => name.startsWith('assay-'))).toBe(true)
    expect(content).toBe('x')
    expect(existsSync(join('/tmp', temporary))).toBe(false)
  })

  it('has an empty home folder', () => {
    expect(sandbox.returned('home')).toEqual(['/home/sandbox', ['x']])
  })

  it('writes files to its workspace, where checks find them', () => {
    expect(sandbox.run.results.get('workspace')).toMatchObject({ verdict: 'pass', score: 1 })
    expect(sandbox.returned('workspace')).toMatch(/^\/.*\/assay-\w+$/)
    expect(existsSync(join(folder, 'app/made'))).toBe(false)
  })

  it('sees nothing through a link that leads out of its workspace', () => {
    expect(sandbox.returned('link')).toBe('ENOENT')
  })

  it('sees no processes but its own', () => {
    const names = sandbox.returned('processes') as string[]
    // Newer versions of Node name their process after its main thread.
    expect(names.filter(name => name !== 'bwrap').map(name => name.replace('MainThread', 'node'))).toEqual(['node'])
  })

  it('ends with all processes that it leaves behind', async () => {
    expect(sandbox.returned('leaves')).toBe('left')
    const { stdout } = await run('ps', ['-Ao', 'args='], { cwd: '/' })
    expect(stdout).not.toContain(`sleep ${leftover}`)
  })

  it('has no capabilities', () => {
    expect(sandbox.returned('capabilities')).toBe('0000000000000000')
  })

  it('inherits no variables but usual ones, and has those of its target', () => {
    expect(sandbox.returned('variables')).toEqual(['OWN'])
  })

  it('passes its tests', () => {
    expect([...sandbox.run.results.values()].filter(({ verdict }) => verdict !== 'pass')).toEqual([])
    expect(sandbox.run.code).toBe(0)
  })
})
