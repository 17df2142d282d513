import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEEPEST_ANSWER } from '../../../src/model/answer-limits.ts'
import { evalFolder, suiteWith } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { linesOf, resultsIn, runFolder } from '../../support/suite-run.ts'

const DEEP = `${'['.repeat(6000)}${']'.repeat(6000)}`
const MESSAGES = `"output_messages":[{"role":"assistant","content":${DEEP}}]`
const MOCK = { name: 'default', provider: 'mock', response: 'ok' }
const TESTS = ['a', 'b'].map(id => ({ id, input: id }))

/** Changes the record of a test. */
function change(path: string, test_id: string, edit: (line: string) => string | undefined): void {
  const lines = linesOf(path).flatMap(line => (line.includes(`"test_id":"${test_id}"`) ? (edit(line) ?? []) : line))
  writeFileSync(path, lines.map(line => `${line}\n`).join(''))
}

describe('records that are nested too deeply', () => {
  it.each<[what: string, edit: (line: string) => string]>([
    ['an answer', line => line.replace('"answer":"ok"', `"answer":"ok",${MESSAGES}`)],
    ['metadata', line => line.replace(/"metadata":\{/, found => `${found}"a":${DEEP}`)],
    ['a check inside a check', nestedChecks],
  ])('count as damaged lines: %s', async (_, edit) => {
    const cwd = evalFolder(TESTS, [MOCK])
    await assay(['eval'], { cwd })
    change(join(runFolder(cwd), 'results.jsonl'), 'a', edit)
    for (const format of ['json', 'html', 'markdown', 'junit', 'csv', 'text']) {
      const { code, stderr } = await assay(['report', 'latest', '--format', format, '-o', `x.${format}`], { cwd })
      expect({ format, code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('damaged') })
    }
    // Their attempts are repeated.
    expect(await assay(['eval', '--resume'], { cwd })).toMatchObject({ code: 0 })
  })

  it('are damaged in run.json', async () => {
    const cwd = evalFolder(TESTS, [MOCK])
    await assay(['eval'], { cwd })
    const path = join(runFolder(cwd), 'run.json')
    const info = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
    writeFileSync(path, info.replace('"provider":"mock"', `"provider":"mock","more":${DEEP}`))
    for (const args of [
      ['grade', 'latest'],
      ['eval', '--resume'],
      ['explain', 'latest', 'a'],
    ]) {
      const { code, stderr } = await assay(args, { cwd })
      expect({ args, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('run.json is damaged') })
    }
  })

  it('are skipped in the messages of a log', async () => {
    const cwd = evalFolder(TESTS, [MOCK])
    await assay(['eval', '--log'], { cwd })
    const names = readdirSync(join(cwd, '.co/evals'), { recursive: true }) as string[]
    const path = join(cwd, '.co/evals', names.find(name => name.endsWith('run_1.yaml')) ?? '')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"role": "user",', `"role": "user", "more": ${DEEP},`))
    for (const args of [
      ['log', 'list'],
      ['log', 'to-eval', '-o', 'logged.yaml'],
    ]) {
      const { code, stderr } = await assay(args, { cwd })
      expect({ args, code, stderr }).toMatchObject({ code: 0 })
    }
  })

  it('are not used as answers on --resume', async () => {
    const cwd = evalFolder(TESTS, [MOCK])
    await assay(['eval'], { cwd })
    change(join(runFolder(cwd), 'results.jsonl'), 'a', () => undefined)
    change(join(runFolder(cwd), 'answers.jsonl'), 'a', line => line.replace('"text":"ok"', `"text":"ok",${MESSAGES}`))
    const { code, stderr } = await assay(['eval', '--resume'], { cwd })
    expect(stderr).not.toContain('Cannot write the records')
    expect(code).toBe(0)
    expect(
      resultsIn(cwd)
        .map(({ test_id }) => test_id)
        .sort(),
    ).toEqual(['a', 'b'])
  })

  it('are not replayed from a run or a results file', async () => {
    const cwd = evalFolder(TESTS, [MOCK])
    await assay(['eval'], { cwd })
    change(join(runFolder(cwd), 'results.jsonl'), 'a', line =>
      line.replace('"answer":"ok"', `"answer":"ok",${MESSAGES}`),
    )
    change(join(runFolder(cwd), 'answers.jsonl'), 'a', line => line.replace('"text":"ok"', `"text":"ok",${MESSAGES}`))
    for (const from of ['latest', join(runFolder(cwd), 'results.jsonl')]) {
      const targets = JSON.stringify({ targets: [{ name: 'default', provider: 'replay', from }] })
      writeFileSync(join(cwd, 'replay.yaml'), targets)
      const { code } = await assay(['eval', '--targets', 'replay.yaml', '--runs-dir', 'replayed'], { cwd })
      expect(code).toBe(3)
    }
  })
})

/** A check result inside 6,000 others. */
function nestedChecks(line: string): string {
  const check = /"evaluator_results":\[(\{.*?\})\]/.exec(line)?.[1] ?? ''
  const open = `${check.slice(0, -1)},"evaluator_results":[`
  return line.replace(check, () => open.repeat(1500) + check + ']}'.repeat(1500))
}

describe('judge output that is nested too deeply', () => {
  const judged = async (assert: object, targets: readonly object[] = [], files: Record<string, string> = {}) => {
    const test = { id: 'a', input: 'Hi', assert: [assert, { type: 'contains', value: 'ok' }] }
    const cwd = evalFolder([test, { id: 'b', input: 'Hi' }], [MOCK, ...targets], files)
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(stderr).not.toContain('Cannot write the records')
    const results = resultsIn(cwd)
    expect(results.map(({ test_id, verdict }) => `${test_id} ${verdict}`).sort()).toEqual(['a error', 'b pass'])
    expect(code).toBe(3)
    return results.find(({ test_id }) => test_id === 'a')
  }

  it('is an error of the check: details of a program', async () => {
    const files = { 'judge.txt': `{"score": 1, "details": ${DEEP}}` }
    const result = await judged({ type: 'code_judge', command: ['cat', 'judge.txt'] }, [], files)
    expect(result?.error).toMatchObject({ code: 'judge-output', stage: 'grade' })
    expect(result?.error?.message).toContain(`nested more than ${DEEPEST_ANSWER} levels deep`)
  })

  it('is an error of the check: the transcript of a judge', async () => {
    const files = { 'reply.txt': `{"text": "{}", "tool_calls": [{"tool": "Read", "input": ${DEEP}}]}` }
    const judge = { name: 'judge', provider: 'cli', command: ['cat', 'reply.txt'], cwd: '.' }
    const result = await judged({ type: 'llm_judge', prompt: 'Good?' }, [judge], files)
    expect(result?.error).toMatchObject({ code: 'judge-no-answer', stage: 'grade' })
  })

  it.each<[what: string, reply: string]>([
    ['all of the reply', DEEP],
    ['a key of the reply', `{"score": 1, "reasoning": ${DEEP}}`],
  ])('is an error of the check: %s', async (_, reply) => {
    const judge = { name: 'judge', provider: 'mock', response: reply }
    const result = await judged({ type: 'llm_judge', prompt: 'Good?' }, [judge])
    expect(result?.error).toMatchObject({ code: 'judge-reply', stage: 'grade' })
  })
})

describe('files that are nested too deeply', () => {
  it.each<[what: string, files: Record<string, string>]>([
    ['metadata of a suite', { 'EVAL.yaml': suiteWith([{ id: 'a', input: 'Hi', metadata: 'HERE' }]) }],
    ['an expected output', { 'EVAL.yaml': suiteWith([{ id: 'a', input: 'Hi', expected_output: ['HERE'] }]) }],
    [
      'a dataset',
      {
        'EVAL.yaml': '{"name": "suite", "tests": "./tests.jsonl"}',
        'tests.jsonl': '{"id": "a", "input": "Hi", "criteria": "Says ok", "metadata": "HERE"}\n',
      },
    ],
    ['targets', { '.assay/targets.yaml': JSON.stringify({ targets: [{ ...MOCK, description: 'HERE' }] }) }],
  ])('are reported: %s', async (_, files) => {
    const deep = Object.entries(files).map(([path, text]) => [path, text.replace('"HERE"', DEEP)])
    const cwd = evalFolder(TESTS, [MOCK], Object.fromEntries(deep))
    const { code, stdout, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stdout + stderr).toMatch(/error unsafe-yaml/)
    expect(stdout + stderr).toContain('exceeds the limit of 100')
  })
})
