import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { csv } from '../../src/report/csv.ts'
import { itWithPlainPython, readPython } from '../support/external/python.ts'
import { hostileText } from '../support/hostile-texts.ts'
import { folderWith } from '../support/program.ts'
import { examples } from '../support/random-examples.ts'
import { checkResult, renderReport, runOf, trialsOf } from '../support/recorded-run.ts'

const HEADER =
  'run_id,suite,test_id,target,model,trial,rerun,verdict,score,duration_ms,input_tokens,output_tokens,cost_usd,judge_cost_usd,tags,file,line,reasons,input,expected_output,answer,cached,control,mark,partial_run'

const rowsOf = (results: readonly Partial<Result>[]) => renderReport(csv, runOf(results)).split('\r\n').slice(1, -1)
const answerCell = (answer: string) =>
  rowsOf([{ answer }])
    .join('\r\n')
    .replace(/^(?:[^,]*,){20}/, '')
    .replace(/,,,,$/, '')

it('writes one row per attempt', () => {
  const facts = {
    model: 'm-1',
    duration_ms: 12,
    token_usage: { input: 3, output: 4 },
    cost_usd: 1e-7,
    judge_usage: { calls: 1, cost_usd: 0.1 + 0.2 },
    expected_output: 'Hello',
    tags: ['a', 'b'],
  }
  const results = [
    { test_id: 'greets', line: 7, ...facts, cached: true as const },
    ...trialsOf('adds', [0.25], { misses: ['does not contain 4', 'is late'], target: 'other' }),
    ...trialsOf('adds', [null], { trial: 2, rerun: 1, target: 'other' }),
  ]
  expect(renderReport(csv, runOf(results))).toBe(
    [
      HEADER,
      'run,suite,greets,default,m-1,1,,pass,1,12,3,4,0.0000001,0.3,"[""a"",""b""]",EVAL.yaml,7,,Hi,Hello,Hello,yes,,,',
      'run,suite,adds,other,,1,,fail,0.25,,,,,,[],EVAL.yaml,1,does not contain 4; is late,Hi,,Hello,,,,',
      'run,suite,adds,other,,2,1,error,,,,,,,[],EVAL.yaml,1,timeout: took too long,Hi,,,,,,',
      '',
    ].join('\r\n'),
  )
})

it('writes a column for each check and each metadata key', () => {
  const checks = [
    checkResult({ name: 'says, "yes"', score: 0.5 }),
    checkResult({ name: 'brief', score: null }),
    checkResult({ name: 'off', score: null, not_run: true }),
  ]
  const metadata = { topic: 'money', size: 1e-9, nested: { a: [1] }, none: null, ok: true, constructor: 'x' }
  const [header = '', ...rows] = renderReport(csv, runOf([{ evaluator_results: checks, metadata }, {}])).split('\r\n')
  expect(header.slice(HEADER.length)).toBe(
    ',"check.says, ""yes""",check.brief,check.off,metadata.topic,metadata.size,metadata.nested,metadata.none,metadata.ok,metadata.constructor',
  )
  expect(rows[0]?.endsWith(',0.5,error,not run,money,0.000000001,"{""a"":[1]}",,true,x')).toBe(true)
  expect(rows[1]?.endsWith(',,,,,,,,,')).toBe(true)
})

it('collects everything beyond 500 columns of a kind in one column', () => {
  const metadata = Object.fromEntries(Array.from({ length: 502 }, (_, index) => [`k${index}`, index]))
  const [header = '', row = ''] = renderReport(csv, runOf([{ metadata }])).split('\r\n')
  expect(header.endsWith(',metadata.k499,other metadata')).toBe(true)
  expect(row.endsWith(',499,"{""k500"":500,""k501"":501}"')).toBe(true)
})

it('writes several messages, each below its role', () => {
  const input = [
    { role: 'system', content: 'Be kind' },
    { role: 'user', content: [{ type: 'text', value: 'Hi' }] },
  ]
  expect(renderReport(csv, runOf([{ input }]))).toContain(',"# system\nBe kind\n\n# user\nHi",')
})

it('names the part in every row of a partial run', () => {
  const run = runOf([{ test_id: 'a' }, { test_id: 'b' }], { attempts: [], shard: { index: 1, of: 4 } })
  const rows = renderReport(csv, run).split('\r\n').slice(1, -1)
  expect(rows.map(row => row.split(',').at(-1))).toEqual(['shard 1 of 4', 'shard 1 of 4'])
})

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blank ', ' blank '],
    ['a\0b\x1b[31mc\x7f\x9b', 'a␀b␛[31mc␡\ufffd'],
    ['a\tb \u200fשלום', 'a\tb \u200fשלום'],
    ['', ''],
  ])('%j is written %j', (answer, cell) => {
    expect(answerCell(answer)).toBe(cell)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=1', 'a=1'],
  ])('escapes the formula %j as %j', (answer, cell) => {
    expect(answerCell(answer)).toBe(cell)
  })

  it('is escaped in every text column', () => {
    const hostile = '=cmd|x'
    const names = { suite: hostile, test_id: hostile, target: hostile, model: hostile, file: hostile }
    const request = {
      input: [{ role: 'user', content: hostile }],
      expected_output: hostile,
      metadata: { [hostile]: hostile },
    }
    const judged: Partial<Result> = { verdict: 'fail', score: 0, misses: [hostile], answer: hostile }
    const checks = { evaluator_results: [checkResult({ name: hostile, score: 0, misses: [hostile] })] }
    const [header, row] = renderReport(
      csv,
      runOf([{ ...names, ...request, ...judged, ...checks, tags: [hostile] }]),
    ).split('\r\n')
    expect(header?.endsWith(',check.=cmd|x,metadata.=cmd|x')).toBe(true)
    // Tags are JSON, which starts with a bracket.
    expect(row?.match(/=cmd/g)).toHaveLength(11)
    expect(row?.match(/(?<=^|,)'=cmd/g)).toHaveLength(10)
    expect(row).not.toMatch(/(?:^|,)"?=cmd/)
  })
})

it('is safe to print on a terminal, with its row endings unchanged', () => {
  expect(csv.terminalSafe?.('a,\x1b[31m\x9b\u202e,"x\ry\nz"\r\n')).toBe('a,␛[31m\ufffd\ufffd,"x␍y\nz"\r\n')
})

const READ_CSV = `import csv, io, json, sys
print(json.dumps([list(csv.DictReader(io.StringIO(each, newline=''), strict=True)) for each in json.load(sys.stdin)]))`

itWithPlainPython("Python's csv module reads back the same values", async () => {
  const texts = fc.sample(fc.tuple(hostileText, hostileText), { numRuns: examples(300) })
  const results = texts.map(([id, answer], index) => ({ test_id: `${index} ${id}`, answer }))
  const document = renderReport(csv, runOf(results))
  const [rows] = await readPython<Record<string, string>[][]>(READ_CSV, JSON.stringify([document]), folderWith())
  expect(rows?.map(row => Object.keys(row).join(','))).toEqual(results.map(() => HEADER))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: cells show these characters
  const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
  const picture = (code: number) => (code < 0x20 ? 0x2400 + code : code === 0x7f ? 0x2421 : 0xfffd)
  const escaped = (text: string) => text.replace(controls, each => String.fromCharCode(picture(each.charCodeAt(0))))
  const defused = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
  expect(rows?.map(({ test_id, answer }) => ({ test_id, answer }))).toEqual(
    results.map(({ test_id, answer }) => ({ test_id: escaped(test_id), answer: defused(escaped(answer)) })),
  )
})

it('keeps all lines of a reason and marks each line break', () => {
  const [row = ''] = rowsOf([{ verdict: 'fail', score: 0, misses: ['missing:\n- the date\n- the price', 'late\n'] }])
  expect(row).toContain(',missing:↵- the date↵- the price; late,')
})
