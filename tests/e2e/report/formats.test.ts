import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/report/index.ts'
import { readFolder, type ScriptData } from '../../support/external/skill-creator.ts'
import { assay } from '../../support/in-process.ts'
import type { Result } from '../../support/program.ts'
import { latestId, recordsOf, suiteFolder } from '../../support/runs.ts'

const used = (skill: string) => ({ tool_calls: [{ tool: 'Skill', input: { skill } }] })
const figures = { token_usage: { input: 100, output: 20 }, duration_ms: 1500 }

const SUITE = {
  name: 'skills',
  execution: { targets: ['skilled', 'plain'] },
  tests: [
    {
      id: 'sales/top months',
      criteria: 'Names November',
      input: 'Which month was best? \u00fc \u202e',
      assert: [
        { type: 'trigger_judge', skill: 'csv' },
        { type: 'contains', value: 'November' },
        { type: 'contains', value: 'sorry', negate: true },
      ],
    },
    { id: 'time', criteria: 'Left alone', input: 'What time is it?', assert: [{ type: 'contains', value: 'noon' }] },
    { id: 'broken', criteria: 'No answer', input: 'Hm?', assert: [{ type: 'contains', value: 'x' }] },
  ],
}

const TARGETS = JSON.stringify({
  targets: [
    {
      name: 'skilled',
      provider: 'mock',
      responses: [
        { pattern: 'month', response: 'November \u009b31m', ...used('csv'), ...figures },
        { pattern: 'time', response: 'noon', ...figures },
      ],
    },
    {
      name: 'plain',
      provider: 'mock',
      responses: [
        { pattern: 'month', response: 'sorry', tool_calls: [], ...figures },
        { pattern: 'time', response: 'noon', ...figures },
      ],
    },
  ],
})

const TYPES = reportFormats.map(({ type }) => type).join(', ')
const FILE_FORMATS = reportFormats.flatMap(({ extension, ...format }) => (extension ? [{ ...format, extension }] : []))
const EXTENSIONS = FILE_FORMATS.map(({ extension }) => extension).join(', ')

const cwd = suiteFolder(SUITE, TARGETS)
const report = (...args: string[]): Promise<Result> => assay(['report', ...args], { cwd })

beforeAll(async () => {
  const outputs = FILE_FORMATS.flatMap(({ extension }) => ['-o', `eval${extension}`])
  await assay(['eval', '--trials', '2', '--quiet', ...outputs], { cwd })
})

describe('report', () => {
  it.each(FILE_FORMATS)('$type equals the output of eval -o', async ({ extension }) => {
    const written = await report('latest', '-o', `again${extension}`)
    expect(written).toEqual({ code: 0, stdout: '', stderr: `wrote again${extension}\n` })
    expect(readFileSync(join(cwd, `again${extension}`), 'utf8')).toBe(
      readFileSync(join(cwd, `eval${extension}`), 'utf8'),
    )
  })

  it('is printed without -o, with the same data and no control characters', async () => {
    const { code, stdout, stderr } = await report(latestId(cwd), '--format', 'json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(cwd, 'eval.json'), 'utf8')))
    expect(stdout).toContain('\\u202e')
    for (const character of ['\u202e', '\u009b']) expect(stdout).not.toContain(character)
  })

  it('prints text without --format', async () => {
    const { code, stdout, stderr } = await report('latest')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe((await report('latest', '--format', 'text')).stdout)
    expect(stdout).toMatch(/^suite .*pass rate/m)
  })

  it('--format overrides the file extension', async () => {
    expect((await report('latest', '--format', 'jsonl', '-o', 'results.txt')).code).toBe(0)
    expect(readFileSync(join(cwd, 'results.txt'), 'utf8')).toBe(readFileSync(join(cwd, 'eval.jsonl'), 'utf8'))
  })

  it.each<[args: string[], message: string]>([
    [['latest', '-o', 'report.pdf'], `Cannot write report.pdf: unsupported extension; use one of ${EXTENSIONS}.\n`],
    [
      ['latest', '-o', 'x.skill-creator'],
      `Cannot write x.skill-creator: unsupported extension; use one of ${EXTENSIONS}.\n`,
    ],
    [['latest', '--format', 'skill-creator'], '--format skill-creator writes several files: name a folder with -o.\n'],
    [['latest', '--format', 'json', '--target', 'plain'], '--format json covers all targets: remove --target.\n'],
    [
      ['latest', '--format', 'skill-creator', '-o', 'ws', '--target', 'unknown'],
      'This run has no target unknown. Its targets: skilled, plain.\n',
    ],
    [['latest', '--format', 'pdf'], `Allowed choices are ${TYPES}.`],
    [['nowhere', '--format', 'json'], 'Run nowhere not found in '],
    [['latest', '--format', 'json', '-o', '.assay'], 'Cannot write .assay: '],
  ])('%j is an error', async (args, message) => {
    const { code, stdout, stderr } = await report(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(existsSync(join(cwd, 'ws'))).toBe(false)
  })
})

describe('report files for people and CI', () => {
  it.each(FILE_FORMATS)('$extension equals the output on stdout', async ({ type, extension, load }) => {
    const { terminalSafe } = await load()
    expect((await report('latest', '-o', `out${extension}`)).stderr).toBe(`wrote out${extension}\n`)
    const written = readFileSync(join(cwd, `out${extension}`), 'utf8')
    const { code, stdout } = await report('latest', '--format', type)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: terminalSafe?.(written) ?? written,
    })
    const hint = `escape control characters in the ${type} report, or add \`terminalSafe\` to its reporter`
    for (const character of ['\u202e', '\u009b', '\u001b']) expect(stdout, hint).not.toContain(character)
  })

  it('prints GitHub annotations and appends to the step summary', async () => {
    const summary = join(cwd, 'summary.md')
    const env = { GITHUB_STEP_SUMMARY: summary }
    writeFileSync(summary, '\ufeffFrom the step before, é')
    const { code, stdout, stderr } = await assay(['report', 'latest', '--format', 'github'], { cwd, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/^::error file=EVAL\.yaml,line=\d+,title=(fail|error)%3A /gm)).toHaveLength(3)
    const markdown = (await report('latest', '--format', 'markdown')).stdout
    expect(readFileSync(summary, 'utf8')).toBe(`\ufeffFrom the step before, é\n${markdown}`)
    await assay(['report', 'latest', '--format', 'github'], { cwd, env })
    expect(readFileSync(summary, 'utf8')).toBe(`\ufeffFrom the step before, é\n${markdown}${markdown}`)
    await assay(['report', 'latest', '--format', 'github'], { cwd, env: { GITHUB_STEP_SUMMARY: 'fresh.md' } })
    expect(readFileSync(join(cwd, 'fresh.md'), 'utf8')).toBe(markdown)
  })

  it('reports a step summary that cannot be written', async () => {
    const env = { GITHUB_STEP_SUMMARY: cwd }
    const { code, stderr } = await assay(['report', 'latest', '--format', 'github'], { cwd, env })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Cannot write .*: .*EISDIR/)
  })
})

describe('--format skill-creator', () => {
  let first: Result
  let second: Result
  let seen: ScriptData

  beforeAll(async () => {
    first = await report('latest', '--format', 'skill-creator', '-o', 'workspace')
    second = await report('latest', '--format', 'skill-creator', '-o', 'workspace', '--target', 'plain')
    seen = await readFolder(join(cwd, 'workspace/iteration-1'))
  })

  it('writes a folder and reports what was left out', () => {
    expect(first).toEqual({
      code: 0,
      stdout: '',
      stderr: `wrote workspace/iteration-1
with_skill is skilled, without_skill is plain
left out: 4 attempts without an answer or a grade (4 ${recordsOf(cwd).find(({ error }) => error)?.error?.code})
`,
    })
    expect(readdirSync(join(cwd, 'workspace/iteration-1')).sort()).toEqual(['eval-1-sales-top-months', 'eval-2-time'])
  })

  it('is read by the skill-creator aggregator', () => {
    const run = (eval_id: number, run_number: number, pass_rate: number) => ({
      eval_id,
      run_number,
      pass_rate,
      tokens: 120,
      time_seconds: 1.5,
    })
    expect(seen.aggregated).toEqual({
      with_skill: [run(1, 1, 1), run(1, 2, 1), run(2, 1, 1), run(2, 2, 1)],
      without_skill: [run(1, 1, 0), run(1, 2, 0), run(2, 1, 1), run(2, 2, 1)],
    })
  })

  it('is read by the skill-creator viewer', () => {
    expect(seen.viewed).toHaveLength(8)
    expect(seen.viewed[2]).toEqual({
      id: 'eval-1-sales-top-months-without_skill-run-1',
      eval_id: 1,
      prompt: 'Which month was best? \u00fc \u202e',
      outputs: { 'answer.md': 'sorry' },
    })
  })

  it('writes the next report beside it', () => {
    expect(second.stderr).toContain('wrote workspace/iteration-2\nwith_skill is plain\n')
    expect(readdirSync(join(cwd, 'workspace')).sort()).toEqual(['iteration-1', 'iteration-2'])
    expect(readdirSync(join(cwd, 'workspace/iteration-2/eval-2-time')).sort()).toEqual([
      'eval_metadata.json',
      'with_skill',
    ])
  })

  it('writes nothing if nothing was judged', async () => {
    const errors = recordsOf(cwd).filter(({ verdict }) => verdict === 'error')
    writeFileSync(join(cwd, 'errors.jsonl'), errors.map(result => `${JSON.stringify(result)}\n`).join(''))
    const { code, stderr } = await report('errors.jsonl', '--format', 'skill-creator', '-o', 'empty')
    expect(code).toBe(5)
    expect(stderr).toMatch(/^Nothing to write\.\nwith_skill is \w+, without_skill is \w+\nleft out: 4 attempts /)
    expect(existsSync(join(cwd, 'empty'))).toBe(false)
  })
})
