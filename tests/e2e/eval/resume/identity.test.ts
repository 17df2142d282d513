import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evalFolder } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { runFolder } from '../../../support/suite-run.ts'

const TESTS = ['a', 'b', 'c'].map(id => ({ id, input: id }))

/** Logs each call beside the suite. */
const AGENT = 'echo x >> calls.log\necho ok\n'

const shell = (more: object = {}) => ({ name: 'default', provider: 'cli', command: ['sh', 'agent.sh'], ...more })

const callsIn = (cwd: string) => readFileSync(join(cwd, 'calls.log'), 'utf8').match(/^x$/gm)?.length
const evalIn = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })
const infoIn = (cwd: string) => JSON.parse(readFileSync(join(runFolder(cwd), 'run.json'), 'utf8'))

describe('--cache', () => {
  it('asks again if the program of the target changes', async () => {
    const cwd = evalFolder(TESTS, [shell()], { 'agent.sh': AGENT })
    expect((await evalIn(cwd, '--cache')).code).toBe(0)
    expect((await evalIn(cwd, '--cache')).code).toBe(0)
    expect(callsIn(cwd)).toBe(3)
    writeFileSync(join(cwd, 'agent.sh'), 'echo x >> calls.log\necho no\n')
    const { code, stderr } = await evalIn(cwd, '--cache')
    expect(code).toBe(1)
    expect(stderr).toContain('3 tests: 3 failed')
    expect(stderr).not.toContain('cached')
    expect(callsIn(cwd)).toBe(6)
  })

  it('marks cached answers in records and output, without counting their cost', async () => {
    const envelope = `echo x >> calls.log\necho '{"text": "ok", "cost_usd": 2}'\n`
    const cwd = evalFolder(TESTS, [shell()], { 'agent.sh': envelope })
    expect((await evalIn(cwd, '--cache')).stderr).toContain('3 tests: 3 passed, cost $6.00')
    const { stderr, stdout } = await evalIn(cwd, '--cache', '--json')
    expect(stderr).toContain('3 of 3 answers cached\n3 tests: 3 passed\n')
    expect(stderr).not.toContain('cost')
    const results = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(results.map(({ cached, cost_usd }) => [cached, cost_usd])).toEqual(Array(3).fill([true, 2]))
    expect((await evalIn(cwd, '--cache')).stderr).toContain('pass a on default 1.00 cached\n')
  })

  it('asks again if the program of a judge changes', async () => {
    const judge = { name: 'judge', provider: 'cli', command: 'sh judge.sh' }
    const rubric = { type: 'llm_judge', prompt: 'Is {{answer}} good?' }
    const cwd = evalFolder([{ id: 'a', input: 'a', assert: [rubric] }], [shell(), judge], {
      'agent.sh': AGENT,
      'judge.sh': `echo '{"score": 1, "reasoning": "fine"}'\n`,
    })
    expect((await evalIn(cwd, '--cache')).code).toBe(0)
    writeFileSync(join(cwd, 'judge.sh'), `echo '{"score": 0, "reasoning": "bad"}'\n`)
    expect((await evalIn(cwd, '--cache')).code).toBe(1)
  })
})

describe('--resume', () => {
  /** Runs, applies a change and resumes; returns the line about repeated attempts. */
  async function resumedAfter(target: object, files: Record<string, string>, change: (cwd: string) => void) {
    const cwd = evalFolder(TESTS, [target], { 'agent.sh': AGENT, ...files })
    expect((await evalIn(cwd)).code).toBe(0)
    change(cwd)
    const { code, stderr } = await evalIn(cwd, '--resume')
    expect(code).toBe(0)
    return { again: /^\d+ attempts? made again: .*$/m.exec(stderr)?.[0], calls: callsIn(cwd), info: infoIn(cwd) }
  }
  const append = (name: string) => (cwd: string) => appendFileSync(join(cwd, name), '# edited\n')
  const retarget = (target: object) => (cwd: string) =>
    writeFileSync(join(cwd, '.assay/targets.yaml'), JSON.stringify({ targets: [target] }))

  it.each<[what: string, target: object, files: Record<string, string>, change: (cwd: string) => void, why: string]>([
    ['the script of an argument list', shell(), {}, append('agent.sh'), 'agent.sh changed'],
    ['the script of a shell command', shell({ command: 'sh ./agent.sh' }), {}, append('agent.sh'), 'agent.sh changed'],
    [
      'a script that `sh -c` starts',
      shell({ command: ['sh', '-c', 'sh agent.sh'] }),
      {},
      append('agent.sh'),
      'agent.sh changed',
    ],
    [
      'a file after an equals sign',
      shell({ command: ['sh', 'agent.sh', '--prompt=system.md'] }),
      { 'system.md': 'Be brief.' },
      append('system.md'),
      'system.md changed',
    ],
    [
      'a script in `cwd`',
      shell({ cwd: 'bin', command: ['sh', 'run.sh'] }),
      { 'bin/run.sh': 'cd .. && sh agent.sh\n' },
      append('bin/run.sh'),
      'bin/run.sh changed',
    ],
    [
      'a file of `depends_on`',
      shell({ depends_on: ['prompts/**'] }),
      { 'prompts/deep/one.md': 'One' },
      append('prompts/deep/one.md'),
      'prompts/deep/one.md changed',
    ],
    [
      'a new file of `depends_on`',
      shell({ depends_on: ['prompts/*.md'] }),
      { 'prompts/one.md': 'One' },
      cwd => writeFileSync(join(cwd, 'prompts/two.md'), 'Two'),
      'prompts/two.md changed',
    ],
    [
      'a Python module',
      shell({ command: ['python3', '-m', 'pack.agent'] }),
      { 'pack/__init__.py': '', 'pack/agent.py': "import os\nos.system('sh agent.sh')\n" },
      append('pack/agent.py'),
      'pack/agent.py changed',
    ],
    [
      'the entry point of a folder',
      shell({ command: ['node', './js'] }),
      { 'js/index.js': "console.log(require('child_process').execSync('sh agent.sh').toString())\n" },
      cwd => appendFileSync(join(cwd, 'js/index.js'), '// edited\n'),
      'js/index.js changed',
    ],
    [
      'a script in a folder that the command changes to',
      shell({ command: 'cd bin && sh run.sh' }),
      { 'bin/run.sh': 'cd .. && sh agent.sh\n' },
      append('bin/run.sh'),
      'bin/run.sh changed',
    ],
    ['a script below $PWD', shell({ command: 'sh "$PWD/agent.sh"' }), {}, append('agent.sh'), 'agent.sh changed'],
    ['`version`', shell({ version: '1' }), {}, retarget(shell({ version: '2' })), 'target default changed'],
    ['`env`', shell({ env: { MODE: 'a' } }), {}, retarget(shell({ env: { MODE: 'b' } })), 'target default changed'],
  ])('repeats attempts after a change of %s', async (_, target, files, change, why) => {
    const { again, calls } = await resumedAfter(target, files, change)
    expect(again).toBe(`3 attempts made again: ${why}.`)
    expect(calls).toBe(6)
  })

  it.each<[what: string, target: object, change: (cwd: string) => void]>([
    ['nothing has changed', shell(), () => {}],
    ['only a file that the target does not name has changed', shell(), append('calls.log')],
    ['only the number of workers has changed', shell(), retarget(shell({ workers: 1, retries: 2 }))],
    [
      'the command tests for a file that exists now',
      shell({ command: '[ -e done ] || touch done; sh agent.sh' }),
      cwd => writeFileSync(join(cwd, 'done'), 'x'),
    ],
    ['the command writes to the changed file', shell({ command: 'echo y >> log.txt; sh agent.sh' }), () => {}],
  ])('keeps recorded attempts if %s', async (_, target, change) => {
    const { again, calls } = await resumedAfter(target, {}, change)
    expect([again, calls]).toEqual([undefined, 3])
  })

  it('records the files of each target', async () => {
    const { info } = await resumedAfter(shell({ depends_on: ['prompts/*'] }), { 'prompts/one.md': 'One' }, () => {})
    expect(info.target_files.map(({ target, file }: Record<string, string>) => [target, file])).toEqual([
      ['default', 'prompts/one.md'],
      ['default', 'agent.sh'],
    ])
  })

  it('does not mix results of two agents after an interruption', async () => {
    const cwd = evalFolder(TESTS, [shell()], { 'agent.sh': AGENT })
    await evalIn(cwd)
    const results = join(runFolder(cwd), 'results.jsonl')
    const [first = ''] = readFileSync(results, 'utf8').split('\n')
    writeFileSync(results, `${first}\n`)
    writeFileSync(join(runFolder(cwd), 'answers.jsonl'), '')
    writeFileSync(join(cwd, 'agent.sh'), 'echo x >> calls.log\necho no\n')
    const { code, stderr } = await evalIn(cwd, '--resume')
    expect(stderr).toContain('1 attempt made again: agent.sh changed.')
    expect(stderr).toContain('3 tests: 3 failed')
    expect(code).toBe(1)
    // The result of the first agent stays in the file but not in reports, even without run.json.
    const alone = join(cwd, 'alone.jsonl')
    writeFileSync(alone, readFileSync(results))
    const { stdout } = await assay(['report', alone, '--format', 'text'], { cwd })
    expect(stdout).toContain('3 tests: 3 failed')
  })

  it('repeats attempts after a change of the provider module', async () => {
    const module =
      'export default { config: { safeParse: data => ({ success: true, data }) }, answer: async () => ({ text: "ok" }) }\n'
    const cwd = evalFolder(TESTS, [{ name: 'default', provider: './own.mjs' }], { 'own.mjs': module })
    await evalIn(cwd)
    appendFileSync(join(cwd, 'own.mjs'), '// edited\n')
    expect((await evalIn(cwd, '--resume')).stderr).toContain('3 attempts made again: own.mjs changed.')
  })
})

describe('--resume after a change of the judge', () => {
  const judge = (model: string) => ({
    name: 'judge',
    provider: 'mock',
    response: `{"score": 1, "reasoning": "${model}"}`,
  })
  const tests = [{ id: 'a', input: 'a', assert: [{ type: 'llm_judge', prompt: 'Is {{answer}} good?' }] }]

  it('is rejected with a hint at `assay grade`', async () => {
    const cwd = evalFolder(tests, [shell(), judge('one')], { 'agent.sh': AGENT })
    expect((await evalIn(cwd)).code).toBe(0)
    writeFileSync(join(cwd, '.assay/targets.yaml'), JSON.stringify({ targets: [shell(), judge('two')] }))
    const before = infoIn(cwd)
    const { code, stderr } = await evalIn(cwd, '--resume')
    expect(code).toBe(2)
    expect(stderr).toContain('The judge judge has changed since the run')
    expect(stderr).toContain(`\`assay grade ${before.run_id}\``)
    expect(infoIn(cwd)).toEqual(before)
  })
})

describe('a target without known files', () => {
  const inline = (more: object = {}) => shell({ command: ['sh', '-c', 'echo ok'], ...more })
  const WARNING = 'default: no file of its command was found, so a changed agent is not noticed'

  it('causes a warning when answers or results are reused, unless it has a version', async () => {
    const cwd = evalFolder(TESTS, [inline()])
    expect((await evalIn(cwd)).stderr).not.toContain(WARNING)
    expect((await evalIn(cwd, '--resume')).stderr).toContain(WARNING)
    expect((await evalIn(cwd, '--cache')).stderr).toContain(WARNING)
    writeFileSync(join(cwd, '.assay/targets.yaml'), JSON.stringify({ targets: [inline({ version: '1' })] }))
    expect((await evalIn(cwd, '--cache')).stderr).not.toContain(WARNING)
  })

  it('must quote its version, since 1.10 would be the number 1.1', async () => {
    const cwd = evalFolder(TESTS, [inline({ version: 1.1 })])
    const { code, stderr } = await evalIn(cwd)
    expect(code).toBe(2)
    expect(stderr).toContain('version')
  })
})

describe('depends_on', () => {
  it('is an error with a location if it matches no file', async () => {
    const cwd = evalFolder(TESTS, [shell({ depends_on: ['prompts/**'] })], { 'agent.sh': AGENT })
    const { code, stderr } = await evalIn(cwd)
    expect(code).toBe(2)
    expect(stderr).toContain('no files match `prompts/**`')
    expect(stderr).toMatch(/targets\.yaml:1:\d+/)
  })

  it('reports a removed file as changed', async () => {
    const cwd = evalFolder(TESTS, [shell({ depends_on: ['prompts/**'] })], {
      'agent.sh': AGENT,
      'prompts/one.md': 'One',
      'prompts/two.md': 'Two',
    })
    mkdirSync(join(cwd, 'prompts/empty'))
    await evalIn(cwd)
    rmSync(join(cwd, 'prompts/two.md'))
    expect((await evalIn(cwd, '--resume')).stderr).toContain('3 attempts made again: prompts/two.md changed.')
  })
})

describe('a file that changes during a run', () => {
  it('makes the run incomplete if it is the program, and nothing is cached', async () => {
    const self = 'echo x >> calls.log\n[ "$(cat)" = b ] && echo "# edited" >> agent.sh\necho ok\n'
    const cwd = evalFolder(TESTS, [shell()], { 'agent.sh': self })
    const { code, stderr } = await evalIn(cwd, '--cache')
    expect(stderr).toContain('agent.sh changed during the run: the answers come from two versions of the agent')
    expect(code).toBe(3)
    writeFileSync(join(cwd, 'agent.sh'), self)
    const again = await evalIn(cwd, '--cache')
    expect(again.stderr).not.toContain('cached')
    const { stdout } = await assay(['report', 'latest', '--format', 'markdown'], { cwd })
    expect(stdout).toContain('changed during the run')
  })

  it('does not count if the agent itself writes to it', async () => {
    const cwd = evalFolder(TESTS, [shell({ command: ['sh', 'agent.sh', 'state.txt'] })], {
      'agent.sh': 'echo x >> calls.log\necho x >> "$1"\necho ok\n',
      'state.txt': '',
    })
    expect((await evalIn(cwd)).code).toBe(0)
    const { code, stderr } = await evalIn(cwd, '--resume')
    expect(stderr).toContain('Resuming: 3 of 3 attempts recorded.')
    expect([code, callsIn(cwd)]).toEqual([0, 3])
  })
})
