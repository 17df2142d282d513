import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ActionRequest, runAction } from './action-runner.ts'
import { BASELINE, checkout, git, installStandIn, type StandIn } from './checkout.ts'

const REPORTS = ['report.md', 'report.html', 'junit.xml']

let folder = ''
beforeAll(async () => {
  folder = await checkout()
})

interface Run {
  readonly standIn?: StandIn
  readonly checkout?: string
  readonly inputs?: ActionRequest['inputs']
  readonly env?: NodeJS.ProcessEnv
}

/** Runs the action without a comment; also returns the arguments of the stand-in after its reports. */
async function act({ standIn = {}, checkout = folder, inputs = {}, ...rest }: Run = {}) {
  const bin = join(checkout, 'node_modules/.bin')
  rmSync(bin, { recursive: true, force: true })
  installStandIn(bin, standIn)
  const result = await runAction({ checkout, inputs: { comment: 'false', ...inputs }, ...rest })
  const calls = existsSync(join(bin, 'calls.jsonl'))
    ? readFileSync(join(bin, 'calls.jsonl'), 'utf8').trim().split('\n')
    : []
  const [call] = calls.map(line => JSON.parse(line))
  return {
    ...result,
    calls: calls.length,
    call,
    args: call?.args.slice(1 + 2 * REPORTS.length) as string[] | undefined,
  }
}

const GATES = ['--fail-on-regression', '--fail-on-new-failures']

describe('what a run is compared with', () => {
  it('is the baseline of the base branch, which a shallow checkout does not have', async () => {
    const shallow = await checkout()
    expect(await git(shallow, 'branch', '-r')).not.toContain('main')
    const { args, log } = await act({ checkout: shallow })
    expect(args).toEqual(['--against=git:origin/main', '--affected', ...GATES, '--'])
    expect(log).toContain('Comparing with git:origin/main.')
    expect(await git(shallow, 'cat-file', '-t', `origin/main:${BASELINE}`)).toBe('blob')
  })

  it('is nothing if the base branch has no baseline', async () => {
    const { args, log } = await act({ checkout: await checkout({ baseline: false }) })
    expect(args).toEqual(['--'])
    expect(log).toContain(
      `No comparison: origin/main has no ${BASELINE}. To make one: assay eval && assay baseline save`,
    )
  })

  it('is nothing outside of a pull request', async () => {
    const { args, log } = await act({ env: { GITHUB_BASE_REF: '' }, inputs: { affected: 'true' } })
    expect(args).toEqual(['--'])
    expect(log).toContain('No comparison: this is not a pull request.')
    expect(log).toContain('Running all tests')
  })

  it('is what `against` names', async () => {
    const { args } = await act({ inputs: { against: '--plan', affected: 'false' } })
    expect(args).toEqual(['--against=--plan', ...GATES, '--'])
  })

  it('is fetched if `against` names a branch of origin', async () => {
    const shallow = await checkout()
    const { args } = await act({ checkout: shallow, inputs: { against: 'git:origin/main:nightly' } })
    expect(args?.[0]).toBe('--against=git:origin/main:nightly')
    expect(await git(shallow, 'branch', '-r')).toContain('origin/main')
    expect(await act({ inputs: { against: 'git:origin/none' } })).toMatchObject({ calls: 1 })
  })

  it('is in the nearest `.assay` above the working directory', async () => {
    const nested = 'packages/agent'
    const files = { [`${nested}/${BASELINE}`]: '{}', [`${nested}/src/a.js`]: '', 'packages/b/a.js': '' }
    const monorepo = await checkout({ baseline: false, files })
    const run = (directory: string) => act({ checkout: monorepo, inputs: { 'working-directory': directory } })
    expect((await run(`${nested}/src`)).args?.[0]).toBe('--against=git:origin/main')
    expect((await run('packages/b')).log).toContain(`origin/main has no ${BASELINE}`)
  })

  it('is an error if the base branch cannot be read: a gate must not pass without its comparison', async () => {
    const alone = await checkout()
    await git(alone, 'remote', 'set-url', 'origin', 'file:///nowhere')
    const { code, calls, commands } = await act({ checkout: alone })
    expect({ code, calls }).toEqual({ code: 2, calls: 0 })
    expect(commands).toEqual([expect.stringContaining('Check out with `fetch-depth: 0`, or set the input `against`')])
  })
})

describe('the result of the job', () => {
  it('is the exit code of the run', async () => {
    const result = await act({ standIn: { code: 3 } })
    expect(result).toMatchObject({ code: 3, outputs: { 'exit-code': '3' } })
    expect(result.summary).toContain('### 3 of 3 tests passed')
    expect(result.commands).toEqual([expect.stringContaining('assay eval ended with exit code 3')])
  })

  it.each([0, 1, 2, 3, 4, 5, 70, 143])(
    'is exit code %i; with `fail-on: never` only if there is no result',
    async code => {
      const made = { report: '', code }
      const ended = async (inputs: Record<string, string>) =>
        (await runAction({ checkout: folder, made, inputs: { comment: 'false', ...inputs } })).code
      expect(await ended({})).toBe(code)
      expect(await ended({ 'fail-on': 'never' })).toBe([1, 3, 4, 5].includes(code) ? 0 : code)
    },
  )

  it.each(['failure', 'never'])('is not that of the comparison with `fail-on: %s`', async failOn => {
    const { args } = await act({ inputs: { 'fail-on': failOn, affected: 'false' } })
    expect(args).toEqual(['--against=git:origin/main', '--'])
  })

  it('has the reports in a folder outside of the project, which is uploaded', async () => {
    const { outputs, upload } = await act()
    expect(readdirSync(outputs['report'] ?? '').sort()).toEqual([...REPORTS].sort())
    expect(outputs['report']).not.toContain(folder)
    expect(upload).toEqual({ name: 'assay-ci-evals', path: outputs['report'], overwrite: 'true' })
    expect(await git(folder, 'status', '--porcelain', '--', ':!node_modules')).toBe('')
  })

  it('has a summary if the run wrote no report', async () => {
    const { code, summary, upload } = await act({ standIn: { code: 2, report: '' } })
    expect(code).toBe(2)
    expect(summary).toMatch(/^### Assay: no result\n\n`assay eval` wrote no report and ended with exit code 2\./)
    expect(upload).toBeDefined()
  })
})

describe('inputs are arguments, never commands', () => {
  const HOSTILE = ['; touch pwned', '$(touch pwned)', '`touch pwned`', `'"; touch pwned #`, '--resume', 'a b', '*']

  it('takes each line of `paths` as one path', async () => {
    const { args, code } = await act({ inputs: { paths: `\n${HOSTILE.join('\n')}\r\n\n` } })
    expect(args?.slice(args.indexOf('--'))).toEqual(['--', ...HOSTILE])
    expect(code).toBe(0)
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })

  it('splits `args` as a shell does, and expands nothing', async () => {
    const args = `--trials 3\n  --label 'a "b" $(touch pwned)' --tag "it's" \`touch\\ pwned\` * ''`
    const result = await act({ inputs: { args, against: 'main' } })
    expect(result.args).toEqual([
      ...['--against=main', '--affected', ...GATES],
      ...['--trials', '3', '--label', 'a "b" $(touch pwned)', '--tag', "it's", '`touch pwned`', '*', '', '--'],
    ])
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })

  it.each<[Record<string, string>, string]>([
    [{ args: "--label 'a" }, '`args` has a quote without its end'],
    [{ 'fail-on': 'fail\n::error::x' }, '`fail-on` must be regression, failure or never'],
    [{ affected: 'yes' }, '`affected` must be true or false'],
    [{ comment: 'maybe' }, '`comment` must be true or false'],
    [{ against: 'main\nexit-code=0' }, 'must be one line each'],
    [{ name: 'a\rb' }, 'must be one line each'],
    [{ name: 'a'.repeat(201) }, 'must not be longer than 200'],
    [{ version: '1.0.0\nprogram=/bin/true' }, 'must be one line each'],
  ])('rejects %j', async (inputs, message) => {
    const { code, calls, commands } = await act({ inputs })
    expect({ code, calls }).toEqual({ code: 2, calls: 0 })
    expect(commands).toEqual([expect.stringContaining(message)])
  })

  it('names the artifact without characters that artifacts cannot have', async () => {
    expect((await act({ inputs: { name: 'a/b: "c" <ü>' } })).upload).toMatchObject({
      name: expect.stringMatching(/^assay-a-b---c----+$/),
    })
  })
})

describe('the program and what it starts', () => {
  it('cannot give commands to the runner', async () => {
    const says =
      '::error::forged\n::set-output name=exit-code::0\n##[error]forged\n::add-mask::a\nno line break at the end'
    const { commands, log, code } = await act({ standIn: { says } })
    expect(log).toContain('::error::forged')
    expect({ commands, code }).toEqual({ commands: [], code: 0 })
  })

  it('cannot give commands by the report, which is in no log', async () => {
    const { commands, log, summary } = await act({ standIn: { report: '\n::error::forged\n' } })
    expect(summary).toContain('::error::forged')
    expect(log).not.toContain('forged')
    expect(commands).toEqual([])
  })

  it('have neither the token nor the files of the step', async () => {
    const { call } = await act({ inputs: { token: 'secret-token' } })
    expect(call.env).toEqual({ TOKEN: '' })
  })
})
