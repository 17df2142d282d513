import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  FULL_MARK,
  type JudgeRun,
  judgeFolder,
  pathWith,
  runChecks,
  runJudges,
} from '../../../support/judges/judge-suite.ts'

/** Compares the answer with the question, by the key names of the published examples. */
const ANSWER_PY = `import json
import sys

data = json.load(sys.stdin)
candidate = data["candidateAnswer"]
same = candidate == data["answer"]
wanted = ["Total" in candidate, "invoice" in data["question"], "total" in data["criteria"], same]
score = sum(wanted) / len(wanted)
print(json.dumps({
    "score": score,
    "hits": ["names the total"] if wanted[0] else [],
    "misses": [] if same else ["two answers"],
    "reasoning": f"{sum(wanted)} of {len(wanted)}",
}))
`

const TRACE_PY = `import json, sys
data = json.load(sys.stdin)
calls = data["traceSummary"]["toolCallsByName"]
searches = calls.get("search", 0)
print(json.dumps({"score": 1.0 if searches == 2 else 0.0, "details": {"calls": calls, "errors": data["traceSummary"]["errorCount"]}}))
`

const EXPECTED_PY = `import json, sys
def main():
    data = json.load(sys.stdin)
    reference = data["expectedMessages"][-1]["content"]
    tools = [call["tool"] for message in data.get("outputMessages", []) for call in message.get("tool_calls", [])]
    print(json.dumps({"score": 1 if reference == data["referenceAnswer"] else 0, "details": {"reference": reference, "tools": tools}}))
if __name__ == "__main__":
    main()
`

const NO_TRACE_PY = `import json, sys
data = json.load(sys.stdin)
assert data["hasTranscript"] is False and data["traceSummary"]["toolNames"] == []
print(json.dumps({"score": 1.0 if data["outputMessages"] == [{"role": "assistant", "content": "ok"}] else 0.0}))
`

const SHELL = `#!/bin/sh
if grep -q '"candidateAnswer":"Total: 42"'; then echo '{"score": 1, "hits": ["found"]}'; else echo '{"score": 0}'; fi
`

const NODE = `import { readFileSync } from 'node:fs'
const { answer, config } = JSON.parse(readFileSync(0, 'utf8'))
const words = answer.split(' ').length
console.log(JSON.stringify({ score: words <= config.max_words ? 1 : 0, misses: [], reasoning: words + ' words' }))
`

const FILES = {
  'judges/answer.py': ANSWER_PY,
  'judges/trace.py': TRACE_PY,
  'judges/expected.py': EXPECTED_PY,
  'judges/no_trace.py': NO_TRACE_PY,
  'judges/found.sh': SHELL,
  'judges/length.mjs': NODE,
}

describe('typical judge programs', () => {
  let run: JudgeRun

  beforeAll(async () => {
    const calls = [
      { tool: 'search', input: { query: 'a' } },
      { tool: 'Read' },
      { tool: 'search', error: 'no such page' },
    ]
    const checks = [
      { name: 'answer', type: 'code_judge', script: ['python', './judges/answer.py'] },
      { name: 'trace', type: 'code-judge', script: ['python3', 'judges/trace.py'] },
      { name: 'expected', type: 'code_grader', command: ['python3', './judges/expected.py'] },
      { name: 'shell', type: 'code_judge', command: ['./judges/found.sh'] },
      { name: 'piped', type: 'code_judge', command: 'cat | sh judges/found.sh && exit 0' },
      { name: 'node', type: 'code_judge', script: ['node', './judges/length.mjs'], config: { max_words: 2 } },
    ]
    run = await runJudges(
      judgeFolder({
        tests: [
          {
            id: 'traced',
            criteria: 'Says the total',
            input: 'Read the invoice',
            expected_output: [{ role: 'assistant', content: 'It is 42' }],
            assert: checks,
          },
          {
            id: 'text-only',
            execution: { target: 'plain' },
            assert: [{ name: 'none', type: 'code_judge', script: ['python3', './judges/no_trace.py'] }],
          },
        ],
        targets: [
          { name: 'default', provider: 'mock', responses: [{ pattern: '', response: 'Total: 42', tool_calls: calls }] },
          { name: 'plain', provider: 'mock', response: 'ok' },
        ],
        files: FILES,
        programs: ['judges/found.sh'],
      }),
    )
  })

  it('run unchanged, and all tests pass', () => {
    expect(run.stderr).toContain('2 passed')
    expect(run.code).toBe(0)
  })

  it('read the answer, the question and the criteria in Python', () => {
    expect(run.check('answer', 'traced')).toMatchObject({
      score: 1,
      passed: true,
      hits: ['names the total'],
      misses: [],
      reasoning: '4 of 4',
    })
  })

  it('read the transcript summary in camelCase, with unchanged tool names', () => {
    const details = { calls: { search: 2, Read: 1 }, errors: 1 }
    expect(run.check('trace', 'traced')).toMatchObject({ type: 'code_judge', score: 1, details })
  })

  it('read expected and actual messages, and a text answer as one message', () => {
    const details = { reference: 'It is 42', tools: ['search', 'Read', 'search'] }
    expect(run.check('expected', 'traced')).toMatchObject({ type: 'code_judge', score: 1, details })
    expect(run.check('none', 'text-only').score).toBe(1)
  })

  it('run by their shebang line, or through the shell if the command is a string', () => {
    expect(run.check('shell', 'traced')).toMatchObject({ score: 1, hits: ['found'] })
    expect(run.check('piped', 'traced')).toMatchObject({ score: 1, hits: ['found'] })
  })

  it('read the config of the check in Node', () => {
    expect(run.check('node', 'traced')).toMatchObject({ score: 1, reasoning: '2 words' })
  })

  it('have results in the order of the checks', () => {
    expect(run.result('traced').evaluator_results.map(({ name }) => name)).toEqual([
      'answer',
      'trace',
      'expected',
      'shell',
      'piped',
      'node',
    ])
    expect(run.result('traced').hits).toEqual(['names the total', 'found', 'found'])
  })
})

/** Reports its arguments and its folder. */
const WORDS = `console.log(JSON.stringify({ score: 1, details: { words: process.argv.slice(1), cwd: process.cwd() } }))\n`

describe('arguments of a judge command', () => {
  it('are resolved from the check or the repository root if such a file exists', async () => {
    const written = [
      '../shared/a.txt',
      '/data/b.txt',
      '/no/such/file.txt',
      '/data',
      'plain.txt',
      '--at=./x',
      '.',
      '~',
      '$HOME *',
    ]
    const check = { name: 'words', type: 'code_judge', script: ['node', './words.mjs', ...written] }
    const suite = { name: 'inner', tests: [{ id: 'case', criteria: 'x', input: 'Hi', assert: [check] }] }
    const folder = judgeFolder({
      tests: [],
      files: {
        '.git/HEAD': '',
        'app/evals/EVAL.yaml': JSON.stringify(suite),
        'app/evals/words.mjs': WORDS,
        'app/shared/a.txt': '',
        'data/b.txt': '',
        'plain.txt': '',
      },
    })
    const { check: of } = await runJudges(folder, ['app/evals'])
    expect(of('words').details).toEqual({
      words: [
        join(folder, 'app/evals/words.mjs'),
        join(folder, 'app/shared/a.txt'),
        join(folder, 'data/b.txt'),
        ...written.slice(2),
      ],
      cwd: join(folder, 'app/evals'),
    })
  })

  const MACHINE = {
    files: {
      '.git/HEAD': '',
      'bin/sh': 'no program',
      'judge.sh': 'echo \'{"score": 1, "reasoning": "\'"$*"\'"}\'\n',
    },
  }

  it('start with a program of the system if it begins with a slash', async () => {
    const { check } = await runChecks([{ type: 'code_judge', script: ['/bin/sh', './judge.sh', 'a b'] }], MACHINE)
    expect(check('code_judge')).toMatchObject({ score: 1, reasoning: 'a b' })
  })

  it('start with that program even if a later equal argument is a file of the repository', async () => {
    const { check, folder } = await runChecks(
      [{ type: 'code_judge', script: ['/bin/sh', './judge.sh', '/bin/sh'] }],
      MACHINE,
    )
    expect(check('code_judge').error).toBeUndefined()
    expect(check('code_judge')).toMatchObject({ score: 1, reasoning: join(folder, 'bin/sh') })
  })

  it('cause a diagnostic before the run if a file is missing', async () => {
    const checks = [
      { name: 'words', type: 'code_judge', script: ['python3', './judges/gone.py', '../above.txt'] },
      { name: 'folder', type: 'code_judge', command: ['./here'] },
    ]
    const folder = judgeFolder({ tests: [{ assert: checks }], files: { 'here/a.txt': '' } })
    const message = await runJudges(folder).catch(error => error.message)
    expect(message).toMatch(/EVAL\.yaml:1:\d+[\s\S]*judges\/gone\.py[\s\S]*above\.txt[\s\S]*\.\/here/)
  })
})

describe('the working folder of a judge', () => {
  it('is that of the suite, or `cwd` relative to the file of the check', async () => {
    const here = { type: 'code_judge', command: ['node', './words.mjs'] }
    const inside = { ...here, name: 'inside', cwd: './deep' }
    const imported = { id: 'imported', criteria: 'x', input: 'Hi', assert: [here, inside] }
    const { check, folder } = await runJudges(
      judgeFolder({
        tests: [{ id: 'own', assert: [{ ...here, cwd: 'cases/../cases/deep' }] }, 'cases/more.yaml'],
        files: {
          'words.mjs': WORDS,
          'cases/words.mjs': WORDS,
          'cases/deep/a.txt': '',
          'cases/more.yaml': JSON.stringify([imported]),
        },
      }),
    )
    const where = (name: string, test: string) => check(name, test).details as { words: string[]; cwd: string }
    expect(where('code_judge', 'own')).toEqual({ words: [join(folder, 'words.mjs')], cwd: join(folder, 'cases/deep') })
    expect(where('code_judge', 'imported')).toEqual({ words: [join(folder, 'cases/words.mjs')], cwd: folder })
    expect(where('inside', 'imported').cwd).toBe(join(folder, 'cases/deep'))
  })
})

describe('the command `python`', () => {
  const checks = [
    { name: 'list', type: 'code_judge', script: ['python', './judges/answer.py'] },
    { name: 'string', type: 'code_judge', command: 'python judges/answer.py' },
  ]

  it('falls back to python3', async () => {
    const folder = judgeFolder({ tests: [{ assert: checks }], files: FILES })
    const { check } = await runJudges(folder, [], { PATH: pathWith(folder, ['python3', 'sh']) })
    expect(check('list').error).toBeUndefined()
    expect(check('list')).toMatchObject({ score: 0.25, misses: [] })
    expect(check('string')).toMatchObject({ score: 0.25, misses: [] })
  })

  it('is preferred if installed, and missing if neither exists', async () => {
    const files = { ...FILES, 'own/python': `#!/bin/sh\necho "$@" > asked.txt\necho '${FULL_MARK.trim()}'\n` }
    const folder = judgeFolder({ tests: [{ assert: checks }], files, programs: ['own/python'] })
    const bin = pathWith(folder, ['python3', 'sh'])
    const both = await runJudges(folder, [], { PATH: `${bin}:${join(folder, 'own')}` })
    expect([both.check('list').score, both.check('string').score]).toEqual([1, 1])
    expect(readFileSync(join(folder, 'asked.txt'), 'utf8')).toContain('judges/answer.py')
    const neither = await runJudges(folder, [], { PATH: join(folder, 'nothing') })
    expect(neither.check('list').error).toMatchObject({
      code: 'judge-missing',
      message: expect.stringContaining('python'),
    })
    expect(neither.code).toBe(3)
  })
})
