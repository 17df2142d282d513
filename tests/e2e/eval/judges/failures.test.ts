import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL_MARK, type JudgeRun, judgeFolder, runJudges } from '../../../support/judges/judge-suite.ts'
import { endLeftovers, expectNoProcesses, runFolder, temporaryFiles } from '../../../support/suite-run.ts'

const SAY = 'echo first >&2; echo "the last words" >&2;'
const PRINT = `echo '${FULL_MARK.trim()}';`
const CONTAINS = { type: 'contains', value: 'ok' }

interface Case {
  readonly judge: object
  readonly code: string
  /** Part of the message, besides the end of stderr. */
  readonly words: string
  /** Whether the judge writes to stderr. */
  readonly hasStderr?: boolean
}

const shell = (text: string, more: object = {}) => ({ command: ['sh', '-c', `${SAY} ${text}`], ...more })
const late = (text: string) => ({
  judge: shell(text, { timeout_seconds: 1 }),
  code: 'judge-timeout',
  words: 'longer than 1 s',
})
const failed = (text: string, words: string) => ({ judge: shell(text), code: 'judge-failed', words })
const unusable = (text: string, words: string) => ({ judge: shell(text), code: 'judge-output', words })
const missing = (judge: object, words: string) => ({ judge, code: 'judge-missing', words, hasStderr: false })

const CASES: Record<string, Case> = {
  hangs: late('sleep 300'),
  'ignores SIGTERM': late("trap '' TERM; while :; do sleep 300 & wait $!; done"),
  'hangs after it printed a score': late(`${PRINT} sleep 300`),
  'prints a score after the timeout': late("trap 'cat score.json; exit 0' TERM; sleep 300 & wait"),
  'waits for children that ignore SIGTERM': late("(trap '' TERM; sleep 300) & (trap '' TERM; sleep 300) & wait"),
  'exits with code 3': failed('exit 3', 'exit code 3'),
  'prints a score and exits with code 1': failed(`${PRINT} exit 1`, 'exit code 1'),
  'is killed': failed(`${PRINT} kill -KILL $$`, 'SIGKILL'),
  'writes control characters to stderr': failed(
    "printf '\\033[31mred\\007\\033[2J\\n' >&2; echo 'the last words' >&2; exit 3",
    'red',
  ),
  'is ended by SIGSEGV': failed('kill -SEGV $$', 'SIGSEGV'),
  'fails and leaves a child that holds its output': failed('sleep 300 & exit 3', 'exit code 3'),
  'fails without reading five megabytes': { ...failed('exec 0<&-; exit 4', 'exit code 4') },
  'writes fifty megabytes to stderr': {
    ...failed(
      "head -c 50000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo 'the last words' >&2; exit 3",
      'exit code 3',
    ),
  },
  'prints fifty megabytes': unusable(
    "head -c 50000000 /dev/zero | tr '\\0' x; echo done > finished.txt; sleep 300",
    '10 MB',
  ),
  'prints nothing': unusable('exit 0', 'nothing'),
  'prints a score of 7': unusable('echo \'{"score": 7}\'', 'score'),
  'prints no JSON': unusable('echo pass', 'pass'),
  'is a missing program': missing({ script: ['no-such-judge'] }, 'no-such-judge'),
  'is a missing path': missing({ command: ['/no/such/judge', 'x'] }, '/no/such/judge'),
  'is a folder': missing({ script: ['/'] }, '/'),
  'is not executable': missing({ script: ['./file.txt'] }, 'file.txt'),
  'needs a missing interpreter': missing({ script: ['./shebang'] }, 'shebang'),
  'runs in a missing folder': missing({ ...shell(PRINT), cwd: 'no-such-folder' }, 'no-such-folder'),
  'runs in a missing folder, through the shell': missing({ command: PRINT, cwd: 'no-such-folder' }, 'no-such-folder'),
  'runs in a path that is a file': missing({ ...shell(PRINT), cwd: 'file.txt' }, 'file.txt'),
  'is an unknown shell command': {
    judge: { command: 'no-such-judge --now' },
    code: 'judge-failed',
    words: 'no-such-judge',
    hasStderr: false,
  },
  'is a Python program that raises': {
    judge: { script: ['python3', './raises.py'] },
    code: 'judge-failed',
    words: "KeyError: 'candidate'",
    hasStderr: false,
  },
}

/** Judges that behave unusually but give a score. */
const WELL = {
  'leaves a child that holds its output': `sleep 300 & ${PRINT}`,
  'never reads five megabytes': `sleep 0.3; ${PRINT}`,
  'closes its input at once': `exec 0<&-; ${PRINT}`,
  'reads a little of its input': `head -c 10 > /dev/null; ${PRINT}`,
  'reads five megabytes': `[ $(wc -c) -gt 5000000 ] && ${PRINT}`,
  'writes a lot to stderr': `head -c 20000000 /dev/zero >&2; ${PRINT}`,
}

const names = Object.keys(CASES)
let run: JudgeRun

beforeAll(async () => {
  const case_ = (name: string, judge: object) => ({
    id: name,
    assert: [{ type: 'code_judge', name: 'judge', ...judge }, CONTAINS],
  })
  const large = { execution: { target: 'large' } }
  const folder = judgeFolder({
    tests: [
      { id: 'before', assert: [CONTAINS] },
      ...names.map(name => ({ ...case_(name, CASES[name]?.judge ?? {}), ...(name.includes('five') ? large : {}) })),
      ...Object.entries(WELL).map(([name, text]) => ({ ...case_(name, { command: text }), ...large })),
      { id: 'after', assert: [{ type: 'code_judge', command: PRINT }] },
    ],
    targets: [
      { name: 'default', provider: 'mock', response: 'ok' },
      { name: 'large', provider: 'mock', response: `ok ${'x'.repeat(1_700_000)}` },
    ],
    files: {
      'file.txt': 'no program\n',
      'score.json': FULL_MARK,
      shebang: '#!/no/such/interpreter\n',
      'raises.py': 'import json, sys\ndata = json.load(sys.stdin)\nprint(data["candidate"])\n',
    },
    programs: ['shebang'],
  })
  run = await runJudges(folder, ['--workers', '8'])
})

afterAll(endLeftovers)

/** Removes control characters, except line breaks. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '')
}

describe('the check is an error if the judge', () => {
  it.each(names)('%s', name => {
    const { code, words, hasStderr = true } = CASES[name]!
    const { score, passed, error } = run.check('judge', name)
    expect({ score, passed, code: error?.code }).toEqual({ score: null, passed: false, code })
    expect(error?.message).toContain(words)
    if (hasStderr) expect(error?.message).toMatch(/the last words$/)
    expect(error?.message.length).toBeLessThan(5000)
    expect(run.result(name)).toMatchObject({ verdict: 'error', score: null, error: { code, stage: 'grade' } })
    // The other check of the test is graded.
    expect(run.check('contains', name)).toMatchObject({ score: 1, passed: true, hits: [expect.any(String)] })
  })
})

describe('the check has a score if the judge', () => {
  it.each(Object.keys(WELL))('%s', name => {
    expect(run.check('judge', name).error).toBeUndefined()
    expect(run.result(name)).toMatchObject({ verdict: 'pass', score: 1 })
  })
})

describe('a run with failing judges', () => {
  it('runs the other tests, and exits as a run with errors', () => {
    expect(run.result('before').verdict).toBe('pass')
    expect(run.result('after').verdict).toBe('pass')
    expect(run.results).toHaveLength(names.length + Object.keys(WELL).length + 2)
    expect(run.stderr).toContain(`${Object.keys(WELL).length + 2} passed`)
    expect(run.code).toBe(3)
  })

  it('shows the end of the stderr of a judge', () => {
    expect(run.stderr).toContain('the last words')
    expect(run.stderr).toContain("KeyError: 'candidate'")
    expect(printable(run.stderr)).toBe(run.stderr)
  })

  it('leaves no processes and no temporary files', async () => {
    expect(existsSync(join(run.folder, 'finished.txt'))).toBe(false)
    expect(temporaryFiles(run.folder)).toEqual([])
    await expectNoProcesses(run.folder)
  })
})

describe('options of a failing judge', () => {
  it('do not hide the error, except for a weight of 0', async () => {
    const judge = { type: 'code_judge', command: 'exit 3' }
    const { result, code } = await runJudges(
      judgeFolder({
        tests: [
          { id: 'required', assert: [{ ...judge, required: true }, CONTAINS] },
          { id: 'negate', assert: [{ ...judge, negate: true }, CONTAINS] },
          { id: 'weightless', assert: [{ ...judge, weight: 0 }, CONTAINS] },
          { id: 'inside', assert: [{ type: 'composite', evaluators: [CONTAINS, { ...judge, negate: true }] }] },
          { id: 'missing', assert: [{ ...judge, command: ['no-such-judge'], negate: true, required: 0.1 }, CONTAINS] },
        ],
      }),
    )
    for (const id of ['required', 'negate', 'weightless', 'inside', 'missing']) {
      const { verdict, score, evaluator_results: checks } = result(id)
      const expected = id === 'weightless' ? { verdict: 'pass', score: 1 } : { verdict: 'error', score: null }
      expect({ id, verdict, score }).toEqual({ id, ...expected })
      expect(checks[0]).toMatchObject({ score: null, passed: false, hits: [], misses: [] })
    }
    expect(code).toBe(3)
  })

  it('swap hits and misses with `negate`', async () => {
    const print = 'echo \'{"score": 0.25, "hits": ["a"], "misses": ["b", "c"]}\''
    const check = { type: 'code_judge', command: print, negate: true, required: 0.7 }
    const { result } = await runJudges(judgeFolder({ tests: [{ id: 'case', assert: [check] }] }))
    expect(result('case')).toMatchObject({ score: 0.75, verdict: 'borderline', hits: ['b', 'c'], misses: ['a'] })
  })
})

describe('a judge command that cannot be started', () => {
  it.each([
    ['an argument that is too long', ['sh', '-c', `: ${'x'.repeat(3_000_000)}`]],
    ['an argument with a NUL byte', ['sh', '-c', 'echo \0']],
    ['a name that is too long', ['x'.repeat(5000)]],
  ])('%s is an error of the judge, not a bug', async (_, command) => {
    const folder = judgeFolder({ tests: [{ assert: [{ type: 'code_judge', command }, CONTAINS] }] })
    const { check, code } = await runJudges(folder)
    expect(check('code_judge').error?.code).toMatch(/^judge-/)
    expect(check('code_judge').error?.message.length).toBeLessThan(5000)
    expect(check('contains').score).toBe(1)
    expect(code).toBe(3)
  })
})

describe('a secret that a judge repeats', () => {
  it('is neither recorded nor printed', async () => {
    const secret = 'hush-4711-hush'
    const agent = { name: 'default', provider: 'cli', command: ['echo', 'ok'], env: { API_KEY: '${{ MY_API_KEY }}' } }
    const folder = judgeFolder({
      tests: [
        { id: 'fails', assert: [{ type: 'code_judge', command: 'echo "no $MY_API_KEY" >&2; exit 3' }] },
        { id: 'prints', assert: [{ type: 'code_judge', command: 'echo "no $MY_API_KEY"' }] },
        {
          id: 'low',
          assert: [{ type: 'code_judge', command: `printf '{"score": 0, "misses": ["%s"]}' "$MY_API_KEY"` }],
        },
      ],
      targets: [agent],
    })
    const { result, stderr, code } = await runJudges(folder, ['-v'], { MY_API_KEY: secret })
    expect(code).toBe(3)
    expect(result('fails').error?.message).toMatch(/no \[MY_API_KEY\]$/)
    expect(result('prints').error?.message).toContain('no [MY_API_KEY]')
    expect(result('low').misses).toEqual(['[MY_API_KEY]'])
    expect(stderr).not.toContain(secret)
    expect(readFileSync(join(runFolder(folder), 'results.jsonl'), 'utf8')).not.toContain(secret)
  })
})
