import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate, suiteWith } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { serve } from '../../../support/servers/server.ts'

/** A targets file with a mock target for each name. */
const mockTargetsFile = (...names: string[]) =>
  JSON.stringify({ targets: names.map(name => ({ name: name.replace(/.*:/, ''), provider: 'mock', response: name })) })

const SUITE = suiteWith([{ id: 'a', input: 'hi', assert: [{ type: 'regex', value: '.' }] }])

describe('the targets file', () => {
  const inRepository = (files: Record<string, string>) =>
    folderWith({ '.git/HEAD': '', 'x/y/EVAL.yaml': SUITE, ...files })

  it.each([
    ['beside the suite', ['x/y/targets.yaml', 'x/.assay/targets.yaml', '.assay/targets.yaml'], 'x/y/targets.yaml'],
    ['.assay before .agentv', ['x/y/.agentv/targets.yaml', 'x/y/.assay/targets.yaml'], 'x/y/.assay/targets.yaml'],
    ['.agentv before the bare file', ['x/.agentv/targets.yaml', 'x/targets.yaml'], 'x/.agentv/targets.yaml'],
    ['a near bare file before a far .assay', ['x/targets.yaml', '.assay/targets.yaml'], 'x/targets.yaml'],
    ['in the root', ['.agentv/targets.yaml'], '.agentv/targets.yaml'],
    ['with the other ending', ['x/.assay/targets.yml', 'targets.yaml'], 'x/.assay/targets.yml'],
    ['not in a folder beside', ['x/z/targets.yaml', 'targets.yaml'], 'targets.yaml'],
  ])('is the nearest one: %s', async (_, files, found) => {
    const folder = inRepository(Object.fromEntries(files.map(file => [file, mockTargetsFile(`${file}:default`)])))
    const { code, all } = await evaluate(folder)
    expect(all.map(({ answer }) => answer)).toEqual([`${found}:default`])
    expect(code).toBe(0)
  })

  it('is not searched above the repository', async () => {
    const folder = folderWith({
      '.assay/targets.yaml': mockTargetsFile('default'),
      'repo/.git/HEAD': '',
      'repo/x/EVAL.yaml': SUITE,
    })
    const { code, stderr } = await assay(['eval'], { cwd: join(folder, 'repo') })
    expect(code).toBe(2)
    expect(stderr).toContain('error no-targets')
  })

  it('is required, and the error suggests `assay init`', async () => {
    const cwd = folderWith({ 'EVAL.yaml': SUITE })
    const { code, stderr, stdout } = await assay(['eval'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('EVAL.yaml:1:1 error no-targets')
    expect(stderr).toContain('`.assay/targets.yaml`')
    expect(stderr).toContain('`assay init`')
    expect(existsSync(join(cwd, '.assay'))).toBe(false)
  })

  it('may be given relative to the current folder', async () => {
    const folder = inRepository({
      'x/y/targets.yaml': mockTargetsFile('near:default'),
      'other/mine.yaml': mockTargetsFile('named:default'),
    })
    for (const file of ['other/mine.yaml', join(folder, 'other/mine.yaml')]) {
      const { all } = await evaluate(folder, ['--targets', file])
      expect(all.map(({ answer }) => answer)).toEqual(['named:default'])
    }
    const missing = await assay(['eval', '--targets', 'other/yours.yaml'], { cwd: folder })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('other/yours.yaml')
  })

  it('may differ between the suites of a run', async () => {
    const folder = folderWith({
      '.git/HEAD': '',
      'one/EVAL.yaml': suiteWith([{ id: 'a', input: 'hi' }], { name: 'one' }),
      'one/.assay/targets.yaml': mockTargetsFile('ok one:default'),
      'two/EVAL.yaml': suiteWith([{ id: 'a', input: 'hi' }], { name: 'two' }),
      'two/targets.yaml': mockTargetsFile('ok two:default'),
    })
    const { code, all } = await evaluate(folder)
    expect(code).toBe(0)
    expect(all.map(({ suite, answer }) => [suite, answer])).toEqual([
      ['one', 'ok one:default'],
      ['two', 'ok two:default'],
    ])
  })
})

describe('variables of targets', () => {
  const TARGETS = 'targets:\n  - name: default\n    provider: mock\n    response: "<${{ V }}> <${{W}}>"\n'
  const answer = async (files: Record<string, string>, env: NodeJS.ProcessEnv) => {
    const folder = folderWith({ '.git/HEAD': '', 'x/y/EVAL.yaml': SUITE, '.assay/targets.yaml': TARGETS, ...files })
    const { all, stderr } = await evaluate(folder, [], env)
    return all[0]?.answer ?? stderr
  }

  it.each([
    ['the environment', {}, { V: 'a', W: 'b' }, '<a> <b>'],
    ['`.env` beside the suite', { 'x/y/.env': 'V=a\nW="b b" # no\n' }, {}, '<a> <b b>'],
    [
      'the nearest `.env`',
      { 'x/y/.env': 'V=near\n', 'x/.env': 'V=mid\nW=mid\n', '.env': 'V=far\nW=far' },
      {},
      '<near> <mid>',
    ],
    ['the environment before `.env`', { 'x/y/.env': 'V=file\nW=file\n' }, { V: 'set' }, '<set> <file>'],
    ['the environment before `.env`, even if empty', { 'x/y/.env': 'V=file\nW=file\n' }, { V: '' }, '<> <file>'],
    [
      'values that look like another variable',
      {},
      { V: '${{ W }} $& {{prompt}}', W: 'b' },
      '<${{ W }} $& {{prompt}}> <b>',
    ],
  ])('come from %s', async (_, files, env, expected) => {
    expect(await answer(files as Record<string, string>, env as NodeJS.ProcessEnv)).toBe(expected)
  })

  it('are not searched above the repository', async () => {
    const folder = folderWith({
      '.env': 'V=above\nW=above\n',
      'repo/.git/HEAD': '',
      'repo/EVAL.yaml': SUITE,
      'repo/targets.yaml': TARGETS,
    })
    expect((await assay(['eval'], { cwd: join(folder, 'repo') })).code).toBe(2)
  })

  it('that are missing are reported before the run with locations, only for used targets', async () => {
    const server = await serve((_, response) => response.end('ok'))
    const folder = folderWith({
      'EVAL.yaml': suiteWith([{ id: 'a', input: 'hi' }]),
      'targets.yaml': [
        'targets:',
        '  - {name: other, provider: mock, response: "ok ${{ NOT_USED }}"}',
        '  - name: default',
        '    provider: http',
        `    url: ${server.url}`,
        '    headers:',
        '      Authorization: Bearer ${{ NO_SUCH_KEY }}',
        '    body: {a: ["x", "${{ NO_SUCH_ID }}"]}',
        '  - {name: fine, provider: mock, response: ok}',
        '',
      ].join('\n'),
    })
    const { code, stderr } = await assay(['eval'], { cwd: folder })
    const fine = await assay(['eval', '--target', 'fine'], { cwd: folder })
    await server.close()
    expect(code).toBe(2)
    expect(stderr).toContain('targets.yaml:7:22 error missing-variable\n  the variable `NO_SUCH_KEY` is not set')
    expect(stderr).toContain('targets.yaml:8:21 error missing-variable\n  the variable `NO_SUCH_ID` is not set')
    expect(stderr).not.toContain('NOT_USED')
    expect(stderr).toMatch(/^2 errors, 0 warnings/m)
    expect(server.calls).toEqual([])
    expect(fine.code).toBe(0)
  })

  it('show no secret in a diagnostic about a wrong type', async () => {
    const files = {
      'EVAL.yaml': SUITE,
      'targets.yaml':
        'targets: [{name: default, provider: http, url: "http://127.0.0.1", method: "${{ MY_KEY }}", workers: "${{ MY_KEY }}"}]',
    }
    const env = { MY_KEY: 'sk-0123456789' }
    for (const args of [['eval'], ['validate', '--targets'], ['validate', '--targets', '--json']]) {
      const { code, stdout, stderr } = await assay(args, { cwd: folderWith(files), env })
      expect(code).toBe(2)
      expect(stdout + stderr).toContain('method')
      expect(stdout + stderr).not.toContain('sk-0123456789')
    }
  })
})

describe('the target of a test', () => {
  const run = async (suite: string, args: readonly string[] = []) => {
    const { all, ...ended } = await evaluate(
      folderWith({
        'EVAL.yaml': suite,
        '.assay/targets.yaml': mockTargetsFile('ok:default', 'ok:one', 'ok:two', 'ok:three'),
      }),
      args,
    )
    return { ...ended, pairs: all.map(({ test_id, target }) => `${test_id} ${target}`) }
  }
  const own = (id: string, execution?: object) => ({ id, input: 'hi', ...(execution && { execution }) })

  it('is `default`, or that of the suite, or that of the test', async () => {
    expect((await run(suiteWith([own('a')]))).pairs).toEqual(['a default'])
    const suite = suiteWith([own('a'), own('b', { target: 'two' }), own('c', { targets: ['three', 'default'] })], {
      execution: { target: 'one' },
    })
    expect((await run(suite)).pairs).toEqual(['a one', 'b two', 'c three', 'c default'])
  })

  it('may be several, and each is asked in order', async () => {
    const suite = suiteWith([own('a'), own('b', { target: 'default' })], { execution: { targets: ['two', 'one'] } })
    const { code, pairs, stderr } = await run(suite)
    expect(code).toBe(0)
    expect(pairs).toEqual(['a two', 'a one', 'b default'])
    expect(stderr).toMatch(/^2 tests on 3 targets \(3 cases\): 3 passed$/m)
  })

  it('is overridden by the command line', async () => {
    const suite = suiteWith([own('a'), own('b', { target: 'two' })], { execution: { targets: ['one', 'default'] } })
    const { pairs } = await run(suite, ['--target', 'three', '--target', 'one'])
    expect(pairs).toEqual(['a three', 'a one', 'b three', 'b one'])
  })

  it('is asked once if it is named repeatedly', async () => {
    const { pairs } = await run(suiteWith([own('a')], { execution: { targets: ['one', 'one'] } }))
    expect(pairs).toEqual(['a one'])
    expect((await run(suiteWith([own('a')]), ['--target', 'one', '--target', 'one'])).pairs).toEqual(['a one'])
  })

  it('must exist, or a diagnostic locates its name', async () => {
    const test = (id: string, more: string) =>
      `  - {id: ${id}, execution: ${more}, criteria: c, input: i, assert: [{type: contains, value: ok}]}\n`
    const tests = `${test('a', '{target: thre}')}${test('b', '{targets: [one, nobody]}')}${test('c', '{}')}`
    const { code, stderr } = await run(`name: s\nexecution:\n  targets: [one, one, twoo]\ntests:\n${tests}`)
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:3:23 error unknown-target\n  no target named `twoo`')
    expect(stderr).toContain('hint: did you mean `two`?')
    expect(stderr).toContain('EVAL.yaml:5:33 error unknown-target\n  no target named `thre`')
    expect(stderr).toContain('hint: did you mean `three`?')
    expect(stderr).toContain('EVAL.yaml:6:40 error unknown-target\n  no target named `nobody`')
    expect(stderr).toContain('the targets are default, one, two, three')
  })

  it('must also exist if it is named on the command line', async () => {
    const { code, stderr, pairs } = await run(suiteWith([own('a'), own('b')]), ['--target', 'tree'])
    expect({ code, pairs }).toEqual({ code: 2, pairs: [] })
    expect(stderr).toContain('.assay/targets.yaml:1:')
    expect(stderr).toContain('no target named `tree`')
    expect(stderr).toContain('did you mean `three`?')
    expect(stderr).toMatch(/^1 error, 0 warnings/m)
  })
})
