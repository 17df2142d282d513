import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gradeTest, loadTest } from '../support/checks.ts'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'
import { resultsIn } from '../support/suite-run.ts'

/** A judge that prints its path, its working folder and its arguments. */
const TELL = `const { argv, cwd } = process
process.stdin.resume().on('end', () => console.log(JSON.stringify({ score: 1, details: { argv: argv.slice(1), cwd: cwd() } })))
`
const FILES = {
  'judges/tell.cjs': TELL,
  'tell.cjs': TELL,
  'it is/tell.cjs': TELL,
  'judges/data.json': '{}',
  'judges/more/x.txt': '',
  'judges/none.mjs': '',
  'judges/tell.sh': '#!/bin/sh\nexec node "$(dirname "$0")/tell.cjs" "$@"\n',
  ok: '',
}

interface JudgeRun {
  readonly argv: readonly string[]
  readonly cwd: string
}

/** Runs a judge in a workspace and without one, and returns what it printed. */
async function runJudge(command: readonly string[] | string, { inside = {}, more = '' } = {}) {
  const test = await loadTest([`{type: code_judge, command: ${JSON.stringify(command)}${more}}`], FILES)
  const folder = dirname(test.at.file)
  chmodSync(join(folder, 'judges/tell.sh'), 0o755)
  const workspace = folderWith(inside)
  const details = async (place?: string) => {
    const [result] = await gradeTest(test, { text: 'ok' }, undefined, undefined, place)
    expect(result?.error).toBeUndefined()
    return result?.details as JudgeRun
  }
  const here = (path: string) => join(folder, path)
  return { folder, workspace, here, with: await details(workspace), without: await details() }
}

describe('a judge in a workspace', () => {
  it.each([
    ['node', 'judges/tell.cjs'],
    ['node', './judges/tell.cjs'],
    ['node', 'tell.cjs'],
    ['judges/tell.sh'],
    ['node', 'it is/tell.cjs'],
    ['node', '--no-warnings', 'judges/tell.cjs'],
  ])('is found next to the suite and runs in the workspace: %s %s', async (...words) => {
    const { with: inside, without, folder, workspace } = await runJudge(words)
    expect(inside.argv).toEqual(without.argv)
    expect(inside.argv[0]?.startsWith(folder)).toBe(true)
    expect([inside.cwd, without.cwd]).toEqual([workspace, folder])
  })

  it.each([
    'node judges/tell.cjs',
    'node ./judges/tell.cjs | cat',
    "cat | node 'it is/tell.cjs'",
    '(node "judges/tell.cjs"; true)',
    'judges/tell.sh',
  ])('is found in a shell line: %s', async line => {
    const { with: inside, without, folder, workspace } = await runJudge(line)
    expect(inside.argv).toEqual(without.argv)
    expect(inside.argv[0]?.startsWith(folder)).toBe(true)
    expect([inside.cwd, without.cwd]).toEqual([workspace, folder])
  })

  it('is the file next to the suite, even if the workspace has one of that name', async () => {
    const inside = { 'judges/tell.cjs': 'console.log(\'{"score": 0}\')' }
    for (const words of [['node', 'judges/tell.cjs'], 'node judges/tell.cjs']) {
      const { with: inWorkspace, here } = await runJudge(words, { inside })
      expect(inWorkspace.argv[0]).toBe(here('judges/tell.cjs'))
    }
  })

  it('gets absolute paths for `./` files of the suite, and other paths unchanged', async () => {
    const words = ['node', 'judges/tell.cjs', 'judges/data.json', 'judges/more', './tell.cjs', 'tell.cjs']
    const { with: inWorkspace, here } = await runJudge(words)
    expect(inWorkspace.argv.slice(1)).toEqual(['judges/data.json', 'judges/more', here('tell.cjs'), 'tell.cjs'])
  })

  it.each([
    [['node', '--no-warnings', './judges/tell.cjs', 'tell.cjs'], ['tell.cjs']],
    [
      ['./judges/tell.sh', 'tell.cjs', 'judges/data.json'],
      ['tell.cjs', 'judges/data.json'],
    ],
    [
      ['judges/tell.sh', 'node', 'tell.cjs'],
      ['node', 'tell.cjs'],
    ],
    [['node', '--import', './judges/none.mjs', 'judges/tell.cjs', 'tell.cjs'], ['tell.cjs']],
    [['env', 'A=1', 'node', 'judges/tell.cjs', 'tell.cjs'], ['tell.cjs']],
    ['node judges/tell.cjs ./judges/data.json judges/data.json', ['./judges/data.json', 'judges/data.json']],
    ['A=1 judges/tell.sh tell.cjs', ['tell.cjs']],
    ['true && judges/tell.sh tell.cjs', ['tell.cjs']],
  ])('gets plain words after the judge unchanged: %j', async (words, rest) => {
    expect((await runJudge(words)).with.argv.slice(1)).toEqual(rest)
  })

  it.each([
    [['node', '-e', 'eval(process.env.X ?? fs.readFileSync(process.argv[1], "utf8"))', 'score.json']],
    [['cat', 'score.json']],
    ['cat score.json'],
    ['cat ./score.json'],
    ['node --version; cat score.json'],
    ['sh -c "cat score.json"'],
    ['node judges/absent.cjs score.json || cat score.json'],
    ['node judges/silent.cjs > score.json && cat score.json'],
    ['node judges/silent.cjs > ./score.json && cat ./score.json'],
    ['node judges/silent.cjs; cat < score.json'],
    [['node', 'judges/print.cjs', 'score.json']],
    [['judges/print.sh', 'score.json']],
  ])("does not read a file next to the suite instead of the agent's file: %j", async words => {
    const files = {
      'score.json': '{"score": 1}',
      'judges/silent.cjs': '',
      'judges/print.cjs': 'console.log(require("fs").readFileSync(process.argv[2], "utf8"))',
      'judges/print.sh': '#!/bin/sh\ncat "$1"\n',
    }
    const test = await loadTest([`{type: code_judge, command: ${JSON.stringify(words)}}`], files)
    const [result] = await gradeTest(test, { text: 'ok' }, undefined, undefined, folderWith({}))
    expect(result).toMatchObject({ passed: false, error: { code: expect.stringMatching(/^judge-/) } })
  })

  it('gets every other word unchanged', async () => {
    const others = ['ok', '.', '..', '-x', '--data=judges/data.json', 'no/such/file', 'a\nb/c.d', '{{answer}}', '/']
    const { with: inWorkspace } = await runJudge(['node', 'judges/tell.cjs', ...others])
    expect(inWorkspace.argv.slice(1)).toEqual(others)
  })

  it('redirects output of a shell line to the workspace', async () => {
    const { with: inWorkspace } = await runJudge(
      'node judges/tell.cjs "a judges/data.json" > judges.json; cat judges.json',
    )
    expect(inWorkspace.argv.slice(1)).toEqual(['a judges/data.json'])
    const { with: other } = await runJudge('echo \'judges/data.json is\' >ok.txt; node judges/tell.cjs "$(cat ok.txt)"')
    expect(other.argv.slice(1)).toEqual(['judges/data.json is'])
  })

  it('resolves other words from `cwd` if it is set', async () => {
    const { with: inWorkspace, here } = await runJudge(['node', 'tell.cjs'], { more: ', cwd: judges' })
    expect(inWorkspace).toEqual({ argv: [here('judges/tell.cjs')], cwd: here('judges') })
  })
})

it('finds judges of imported tests, inside composites, and in .assay/judges from a workspace', async () => {
  const judge = (name: string, path: string) => ({ type: 'code_judge', name, command: ['node', path] })
  const tests = [
    {
      id: 'imported',
      criteria: 'x',
      input: 'Hi',
      assert: [judge('near', 'judges/near.cjs'), judge('far', 'judges/far.cjs')],
    },
  ]
  const own = {
    type: 'composite',
    name: 'all',
    evaluators: [judge('far', 'judges/far.cjs'), { type: 'mine', name: 'mine' }],
  }
  const cwd = folderWith({
    'EVAL.yaml': JSON.stringify({
      name: 'one',
      tests: ['./sub/tests.yaml', { id: 'own', criteria: 'x', input: 'Hi', assert: [own] }],
    }),
    'sub/tests.yaml': JSON.stringify(tests),
    'sub/judges/near.cjs': TELL,
    'judges/far.cjs': TELL,
    '.assay/judges/mine.js': TELL,
    'app/x.txt': '',
    '.assay/targets.yaml': JSON.stringify({
      targets: [{ name: 'default', provider: 'cli', command: ['echo', 'ok'], workspace: 'app' }],
    }),
  })
  const { code, stderr } = await assay(['eval'], { cwd })
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  expect(resultsIn(cwd).map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
})
