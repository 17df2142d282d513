import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeFolder, OK, pathWith, runJudges } from '../../../support/judges/judge-suite.ts'
import { evaluate, linesOf, resultsIn } from '../../../support/suite-run.ts'

const NODE = `const { readFileSync } = require('node:fs')
const { config, answer } = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify({ score: 1, hits: [answer], details: config }))
`
const MODULE = NODE.replace("const { readFileSync } = require('node:fs')", "import { readFileSync } from 'node:fs'")
const PYTHON = `import json, sys
data = json.load(sys.stdin)
print(json.dumps({"score": 1, "hits": [data["answer"]], "details": data["config"]}))
`
const SHELL = `cat > shell.json\necho '{"score": 1, "hits": ["ok"], "details": {"by": "shell"}}'\n`
const PROGRAM = `#!/usr/bin/env node\n${NODE}`

/** A judge that reports its name. */
const says = (name: string) => `console.log(JSON.stringify({ score: 1, reasoning: ${JSON.stringify(name)} }))\n`

/** A suite with one test that has these checks. */
function suiteOf(...checks: object[]): string {
  return JSON.stringify({ name: 'inner', tests: [{ id: 'case', criteria: 'Says ok', input: 'Hi', assert: checks }] })
}

describe('judges in a judges folder', () => {
  it('run by extension or as programs, in either spelling, with the other fields as config', async () => {
    const checks = [
      { type: 'by_module', level: 2 },
      { type: 'by-script', level: 2 },
      { type: 'by-python', level: 2, name: 'snake' },
      { type: 'by_shell' },
      {
        type: 'by-program',
        level: 2,
        config: { innerKey: { some_key: 1 } },
        weight: 2,
        required: true,
        description: 'x',
      },
      { type: 'plain', timeout_seconds: 1, cwd: '/', command: 'x', script: ['y'] },
    ]
    const folder = judgeFolder({
      tests: [{ assert: checks }],
      files: {
        '.assay/judges/by-module.mjs': MODULE,
        '.assay/judges/by_script.js': NODE,
        '.agentv/judges/by_python.py': PYTHON,
        '.agentv/judges/by_shell.sh': SHELL,
        '.assay/judges/by-program': PROGRAM,
        '.agentv/judges/plain': PROGRAM,
        '.assay/judges/readme.md': 'by_program is one of them',
        '.assay/judges/plain.txt': 'not this one',
      },
      programs: ['.assay/judges/by-program', '.agentv/judges/plain'],
    })
    const { code, check, result } = await runJudges(folder)
    expect(result('case').error).toBeUndefined()
    expect(code).toBe(0)
    for (const name of ['by_module', 'by_script', 'snake']) {
      expect(check(name)).toMatchObject({ score: 1, hits: ['ok'], details: { level: 2 } })
    }
    expect(check('snake').type).toBe('by_python')
    expect(check('by_shell').details).toEqual({ by: 'shell' })
    expect(JSON.parse(readFileSync(join(folder, 'shell.json'), 'utf8'))).toMatchObject({ config: {}, answer: 'ok' })
    expect(check('by_program')).toMatchObject({ weight: 2, required: 0.8, type: 'by_program' })
    expect(check('by_program').details).toEqual({ level: 2, innerKey: { some_key: 1 } })
    expect(check('plain').details).toEqual({ timeout_seconds: 1, cwd: '/', command: 'x', script: ['y'] })
  })

  it('are taken from the nearest folder, even if its name has special characters', async () => {
    const inner = 'app/evals [new] (2) {a,b} !x'
    const folder = judgeFolder({
      tests: [],
      files: {
        '.git/HEAD': '',
        [`${inner}/EVAL.yaml`]: suiteOf({ type: 'near' }, { type: 'middle' }, { type: 'far' }, { type: 'twice' }),
        [`${inner}/.agentv/judges/near.mjs`]: says('inner'),
        'app/.assay/judges/near.mjs': says('app'),
        'app/.assay/judges/middle.mjs': says('app'),
        '.assay/judges/middle.mjs': says('root'),
        '.agentv/judges/far.mjs': says('root'),
        'app/.agentv/judges/twice.mjs': says('agentv'),
        'app/.assay/judges/twice.mjs': says('assay'),
      },
    })
    const { check } = await runJudges(folder, [inner])
    const said = ['near', 'middle', 'far', 'twice'].map(name => check(name).reasoning)
    expect(said).toEqual(['inner', 'app', 'root', 'assay'])
  })

  it('may be links to the same file', async () => {
    const files = { '.assay/judges/kind.mjs': says('kind') }
    const folder = judgeFolder({ tests: [{ assert: [{ type: 'kind' }, { type: 'polite' }] }], files })
    symlinkSync('kind.mjs', join(folder, '.assay/judges/polite.mjs'))
    const { check } = await runJudges(folder)
    expect([check('kind').reasoning, check('polite').reasoning]).toEqual(['kind', 'kind'])
  })

  it('are reported with a suggestion if they are missing or not executable', async () => {
    const folder = judgeFolder({
      tests: [{ assert: [{ type: 'tonne' }, { type: 'closed' }] }],
      files: { '.assay/judges/tone.py': PYTHON, '.assay/judges/closed': PROGRAM },
    })
    const { code, stderr } = await evaluate(folder)
    expect(code).toBe(2)
    expect(stderr).toMatch(/unknown check type `tonne`[\s\S]*did you mean `tone`/)
    expect(stderr).toContain('unknown check type `closed`')
  })

  it('are an error if they fail, and can be nested in another check', async () => {
    const folder = judgeFolder({
      tests: [
        {
          id: 'fails',
          assert: [
            { type: 'bad', negate: true },
            { type: 'contains', value: 'ok' },
          ],
        },
        { id: 'inside', assert: [{ type: 'composite', evaluators: [{ type: 'good', level: 3 }] }] },
      ],
      files: { '.assay/judges/bad.sh': 'echo sorry >&2; exit 3\n', '.assay/judges/good.py': PYTHON },
    })
    const { code, check } = await runJudges(folder)
    expect(check('bad', 'fails')).toMatchObject({ score: null, error: { code: 'judge-failed' } })
    expect(check('bad', 'fails').error?.message).toMatch(/exit code 3[\s\S]*sorry$/)
    expect(check('contains', 'fails').score).toBe(1)
    expect(check('composite', 'inside').evaluator_results).toMatchObject([{ name: 'good', details: { level: 3 } }])
    expect(code).toBe(3)
  })
})

describe('--resume with custom judges', () => {
  const FILES = {
    '.assay/judges/tone.sh': 'echo judged >> judged.txt\necho \'{"score": 1}\'\n',
    'check.sh': 'echo checked >> checked.txt\necho \'{"score": 1}\'\n',
  }
  const tests = [
    { id: 'own', assert: [{ type: 'tone' }] },
    { id: 'inside', assert: [{ type: 'composite', evaluators: [{ type: 'tone' }] }] },
    { id: 'listed', assert: [{ type: 'code_judge', script: ['sh', './check.sh'] }] },
  ]

  it('repeats only the attempts of an edited judge', async () => {
    const folder = judgeFolder({ tests, files: FILES })
    await runJudges(folder)
    expect((await runJudges(folder, ['--resume'])).results).toHaveLength(3)
    expect(linesOf(join(folder, 'judged.txt'))).toHaveLength(2)
    writeFileSync(join(folder, '.assay/judges/tone.sh'), FILES['.assay/judges/tone.sh'].replace('1}', '0}'))
    const { code, stderr } = await evaluate(folder, ['--resume'])
    expect(stderr).toContain('2 failed')
    expect(code).toBe(1)
    expect(
      resultsIn(folder)
        .map(({ test_id }) => test_id)
        .slice(3)
        .sort(),
    ).toEqual(['inside', 'own'])
    writeFileSync(join(folder, 'check.sh'), `${FILES['check.sh']}# edited\n`)
    await evaluate(folder, ['--resume'])
    expect(linesOf(join(folder, 'judged.txt'))).toHaveLength(4)
    expect(linesOf(join(folder, 'checked.txt'))).toHaveLength(2)
  })

  it('repeats nothing if the whole folder was moved', async () => {
    const inner = suiteOf({ type: 'tone' }, { type: 'code_judge', script: ['sh', '../check.sh', '/check.sh'] })
    const folder = judgeFolder({ tests: [], files: { ...FILES, '.git/HEAD': '', 'app/EVAL.yaml': inner } })
    const before = await runJudges(folder, ['app'])
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    const after = await runJudges(moved, ['app', '--resume'])
    expect(after.stderr).toContain('Resuming: 1 of 1 attempt recorded.\n')
    expect(after.results).toEqual(before.results)
    expect(linesOf(join(moved, 'app/judged.txt'))).toHaveLength(1)
    const again = await runJudges(moved, ['app'])
    expect(again.results.map(({ attempt_id }) => attempt_id)).toEqual(
      before.results.map(({ attempt_id }) => attempt_id),
    )
  })
})

describe('a judge in TypeScript', () => {
  const JUDGE = `import { readFileSync } from 'node:fs'
interface Input { answer: string; config: Record<string, unknown> }
const { answer, config }: Input = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify({ score: 1, hits: [answer], details: config }))
`
  const [major = 0, minor = 0] = process.version.slice(1).split('.').map(Number)
  /** The first Node version that strips types. */
  const nodeRunsIt = major > 22 || (major === 22 && minor >= 18)

  /** A PATH without the programs of this project, such as `tsx`. */
  function typedFolder() {
    const folder = judgeFolder({
      tests: [
        { id: 'own', assert: [{ type: 'typed', level: 2 }] },
        { id: 'listed', assert: [{ type: 'code_judge', script: ['node', './judges/mine.ts'] }] },
      ],
      targets: OK,
      files: { '.assay/judges/typed.ts': JUDGE, 'judges/mine.ts': JUDGE, 'package.json': '{"type": "module"}' },
    })
    return { folder, env: { PATH: pathWith(folder, ['node', 'sh', 'sed', 'dirname', 'uname', 'basename']) } }
  }

  const TSX = join(import.meta.dirname, '../../../../node_modules/.bin/tsx')

  it('runs if Node supports it, and is otherwise reported before the run', async () => {
    const { folder, env } = typedFolder()
    const { code, stderr } = await evaluate(folder, [], env)
    if (nodeRunsIt) {
      expect(stderr).toContain('2 passed')
      expect(code).toBe(0)
      return
    }
    expect(code).toBe(2)
    expect(stderr).toMatch(/EVAL\.yaml:1:\d+[\s\S]*typed\.ts[\s\S]*22\.18[\s\S]*tsx/)
    expect(stderr).toContain('mine.ts')
    expect(linesOf(join(folder, '.assay/runs/latest'))).toEqual([])
  })

  it.each([
    ['in the project', 'node_modules/.bin'],
    ['on PATH', 'bin'],
  ])('runs with tsx %s', async (_, place) => {
    const { folder, env } = typedFolder()
    mkdirSync(join(folder, place), { recursive: true })
    symlinkSync(TSX, join(folder, place, 'tsx'))
    const { code, check } = await runJudges(folder, [], env)
    expect(check('typed', 'own')).toMatchObject({ score: 1, hits: ['ok'], details: { level: 2 } })
    expect(check('code_judge', 'listed')).toMatchObject({ score: 1, hits: ['ok'] })
    expect(code).toBe(0)
  })
})
