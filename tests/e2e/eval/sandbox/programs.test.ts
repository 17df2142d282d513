import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Evaluated, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { describeWithBubblewrap } from '../../../support/external/bubblewrap.ts'
import { folderWith, run } from '../../../support/program.ts'
import { projectFolder, removeProjects, runInSandbox } from '../../../support/sandboxes.ts'
import { type Server, serve } from '../../../support/servers/server.ts'

/** Runs the same prompt on several targets; their fields by name. */
async function runTargets(
  folder: string,
  targets: Readonly<Record<string, object>>,
  env: NodeJS.ProcessEnv = {},
): Promise<Evaluated> {
  const tests = Object.keys(targets).map(id => ({ id, input: `the prompt of ${id}`, execution: { target: id } }))
  const all = Object.entries(targets).map(([name, fields]) => ({
    ...{ name, provider: 'cli', workspace: 'app', sandbox: true, retries: 0 },
    ...fields,
  }))
  folderWith({ 'EVAL.yaml': suiteWith(tests), '.assay/targets.yaml': JSON.stringify({ targets: all }) }, folder)
  return evaluate(folder, [], { HOME: join(folder, 'home'), ...env })
}

describeWithBubblewrap('a program in a sandbox', () => {
  const folder = projectFolder({
    'agents/lib/words.txt': 'words',
    'shared/a/visible.txt': 'visible\n',
    // Like `npm install --global`, with a package that imports another one.
    'home/.npm/lib/node_modules/@x/agent/cli.mjs': `#!/usr/bin/env node
import { word } from 'dependency'
console.log('ok', word)`,
    'home/.npm/lib/node_modules/dependency/package.json':
      '{ "name": "dependency", "type": "module", "main": "index.js" }',
    'home/.npm/lib/node_modules/dependency/index.js': "export const word = 'imported'",
    'home/.npm/other.txt': 'secret',
    // Like a virtual environment.
    'home/tools/bin/agent': '',
    'home/tools/lib/library.sh': 'echo "ok from the library"',
    'home/tools/secret.txt': 'secret',
  })
  const path = `${join(folder, 'home/.npm/bin')}:${process.env['PATH']}`
  let ended: Evaluated
  const answer = (id: string) =>
    ended.results.get(id)?.answer ?? JSON.stringify(ended.results.get(id)?.error ?? ended.stderr)
  const error = (id: string) => ended.results.get(id)?.error

  beforeAll(async () => {
    const home = join(folder, 'home')
    folderWith({ '.npm/bin/.keep': '' }, home)
    chmodSync(join(home, '.npm/lib/node_modules/@x/agent/cli.mjs'), 0o755)
    symlinkSync('../lib/node_modules/@x/agent/cli.mjs', join(home, '.npm/bin/my-agent'))
    symlinkSync('/bin/sh', join(home, 'tools/bin/interpreter'))
    folderWith(
      { 'tools/bin/agent': `#!${join(home, 'tools/bin/interpreter')}\n. ${join(home, 'tools/lib/library.sh')}\n` },
      home,
    )
    chmodSync(join(home, 'tools/bin/agent'), 0o755)
    symlinkSync(join(folder, 'shared'), join(home, 'link-to-shared'))
    symlinkSync(folder, join(home, 'link-to-project'))
    ended = await runTargets(
      folder,
      {
        stdin: { command: ['cat'], env: { A: '1' } },
        'stdin-device': { command: 'cat /dev/stdin; echo ok' },
        json: { command: ['cat'], stdin: 'json', output_format: 'text' },
        'prompt-file': { command: 'cat {PROMPT_FILE}; echo ok' },
        'prompt-argument': { command: ['echo', 'ok', '{PROMPT}'] },
        'output-file': { command: 'echo "ok, written" > {OUTPUT_FILE}; echo not this' },
        'output-link': { command: `ln -s ${folder}/EVAL.yaml {OUTPUT_FILE}` },
        'shell-line': { command: 'echo ok "$A" | tr a-z A-Z | sed s/OK/ok/; pwd >&2', env: { A: 'piped' } },
        subfolder: { command: 'echo ok; ls', cwd: 'sub' },
        'exit-code': { command: 'echo out; echo "it broke" >&2; exit 7' },
        signal: { command: 'kill -9 $$' },
        silent: { command: 'true' },
        imitated: { command: 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1' },
        'not-there': { command: [join(folder, 'agents/none')] },
        'not-executable': { command: [join(folder, 'agents/agent.mjs')] },
        'named-file': {
          command: `echo ok; ls ${join(folder, 'agents/lib')} ${folder}; cat ${join(folder, 'agents/lib/words.txt')}`,
        },
        readable: {
          command: `echo ok; cat ${folder}/shared/a/visible.txt; touch ${folder}/shared/a/x || ls ${folder}`,
          readable: ['shared'],
        },
        'readable-link': {
          command: `echo ok; cat ${home}/link-to-shared/a/visible.txt; ls ${home}`,
          readable: ['home/link-to-shared'],
        },
        'readable-above': { command: `echo ok; ls /var/tmp/; ls -A ${folder} 2>&1`, readable: ['/var'] },
        'npm-program': { command: ['my-agent'], env: { PATH: path } },
        'npm-program-in-a-line': { command: `my-agent && ls ${home}/.npm`, env: { PATH: path } },
        'own-interpreter': { command: [join(home, 'tools/bin/agent')] },
        'own-interpreter-only': { command: `${join(home, 'tools/bin/agent')}; ls ${home} ${home}/tools` },
        loud: { command: 'yes' },
      },
      { A_KEY: 'of the user' },
    )
  })
  afterAll(removeProjects)

  it('reads the prompt from stdin, also as JSON and as a device', () => {
    expect(answer('stdin')).toBe('the prompt of stdin')
    expect(answer('stdin-device')).toBe('the prompt of stdin-deviceok')
    expect(JSON.parse(answer('json'))).toMatchObject({ messages: [{ role: 'user' }], test_id: 'json' })
  })

  it('reads the prompt from a file or an argument', () => {
    expect(answer('prompt-file')).toBe('the prompt of prompt-fileok')
    expect(answer('prompt-argument')).toBe('ok the prompt of prompt-argument')
  })

  it('writes its answer to a file', () => {
    expect(answer('output-file')).toBe('ok, written')
  })

  it('cannot answer with a file that it must not read', () => {
    expect(error('output-link')).toMatchObject({
      code: 'bad-response',
      message: 'the output file is a link: in a sandbox, the program must write the file itself',
    })
  })

  it('may be a line for the shell', () => {
    expect(answer('shell-line')).toBe('ok PIPED')
  })

  it('runs in a folder of the workspace', () => {
    expect(answer('subfolder')).toBe('ok\nb.txt')
  })

  it('fails with its own exit code and stderr', () => {
    expect(error('exit-code')).toMatchObject({
      code: 'program-failed',
      message: 'the program ended with exit code 7: it broke',
    })
    expect(error('signal')).toMatchObject({ code: 'program-failed', message: expect.stringContaining('exit code 137') })
    expect(error('silent')).toMatchObject({ code: 'empty-answer' })
    expect(error('loud')).toMatchObject({ code: 'output-too-large' })
  })

  it('cannot pass off its own failure as one of the sandbox', () => {
    expect(error('imitated')).toMatchObject({
      code: 'program-failed',
      message: expect.stringContaining('ended with exit code 1: bwrap: setting up uid map'),
    })
    expect(error('imitated')?.never_reached).toBeUndefined()
  })

  it('that cannot be started is an error that says what to do', () => {
    expect(error('not-there')).toMatchObject({
      code: 'program-missing',
      message: `the program could not be started in the sandbox: ${folder}/agents/none: No such file or directory; add what it needs to \`readable\``,
      never_reached: true,
    })
    expect(error('not-executable')).toMatchObject({ message: expect.stringContaining('Permission denied') })
  })

  it('sees the files that its command names, and not what is beside them', () => {
    expect(answer('named-file')).toBe(`ok\n${folder}:\nagents\n\n${folder}/agents/lib:\nwords.txt\nwords`)
  })

  it('sees what `readable` names, without being able to change it', () => {
    expect(answer('readable')).toBe('ok\nvisible\nshared')
    expect(answer('readable-link')).toBe('ok\nvisible\nlink-to-shared')
  })

  it('does not see the project in a folder that `readable` names', () => {
    expect(answer('readable-above')).toContain(folder.slice('/var/tmp/'.length))
    expect(answer('readable-above')).not.toContain('EVAL.yaml')
  })

  it('may be a package that is installed in the home folder, with what it imports', () => {
    expect(answer('npm-program')).toBe('ok imported')
    expect(answer('npm-program-in-a-line')).toBe('ok imported\nbin\nlib')
  })

  it('may have an interpreter and libraries in the home folder', () => {
    expect(answer('own-interpreter')).toBe('ok from the library')
    expect(answer('own-interpreter-only')).not.toContain('secret')
  })

  it('is killed with all of its processes at the timeout', async () => {
    // Not what another run of this test on the machine sleeps.
    const sleep = `sleep ${800_000_000 + process.pid}`
    const command = `echo "still here" >&2; ${sleep}`
    const { results } = await runTargets(projectFolder(), { timeout: { command, timeout_seconds: 5 } })
    const message = expect.stringContaining('still here')
    expect(results.get('timeout')?.error).toMatchObject({ code: 'timeout', message })
    const { stdout } = await run('ps', ['-Ao', 'args='], { cwd: '/' })
    expect(stdout).not.toContain(sleep)
  })
})

describeWithBubblewrap('a program in a sandbox with `network: true`', () => {
  let server: Server
  beforeAll(async () => {
    server = await serve((_, response) => response.end('ok'))
  })
  afterAll(async () => {
    await server.close()
    removeProjects()
  })

  it('reaches servers, and still sees no files of the project', async () => {
    const folder = projectFolder()
    const port = Number(new URL(server.url).port)
    const { returned } = await runInSandbox(
      folder,
      {
        dials: `return dial(${port})`,
        names: `const { lookup } = await import('node:dns/promises'); return (await lookup('localhost')).family > 0`,
        looks: `return [attempt(() => fs.readFileSync('${folder}/EVAL.yaml')), process.env.HTTPS_PROXY ?? null]`,
      },
      { network: true },
      { HTTPS_PROXY: 'http://proxy.example' },
    )
    expect(returned('dials')).toBe('connected')
    expect(returned('names')).toBe(true)
    expect(returned('looks')).toEqual(['ENOENT', 'http://proxy.example'])
  })
})
