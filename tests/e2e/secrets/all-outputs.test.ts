import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'
import { resultsIn, runFolder } from '../../support/suite-run.ts'

/** A key of two lines with characters that JSON, URLs, HTML, shells and patterns escape. */
const ONE = 'Zq8MarkOne'
const TWO = 'Vx7MarkTwo'
const KEY = `sk-"a%41/<${ONE}>&'é$\n${TWO}+=\\/z`

/** Forms in which the key leaks; each is a JavaScript expression of the key `k`. */
const WAYS: Record<string, string> = {
  plain: '`you sent ${k}`',
  json: 'JSON.stringify({ sent: k })',
  'json-in-json': 'JSON.stringify(JSON.stringify({ sent: k }))',
  'ascii-json': 'JSON.stringify(k).replace(/[^ -~]/g, c => "\\\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"))',
  url: '`https://x.test/?key=${encodeURIComponent(k)}`',
  form: 'String(new URLSearchParams({ k }))',
  'url-in-part': 'encodeURI(k)',
  base64: 'Buffer.from(k).toString("base64")',
  basic: 'Buffer.from(`user:${k}`).toString("base64")',
  hex: 'Buffer.from(k).toString("hex")',
  html: 'k.replace(/[&<>"\']/g, c => `&#${c.charCodeAt(0)};`)',
  'html-by-name':
    'k.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\\"", "&quot;")',
  'one-line': 'k.split("\\n")[1]',
  'set-in': 'k.replaceAll("\\n", "\\n    ")',
  'windows-lines': 'k.replaceAll("\\n", "\\r\\n")',
  quoted: '`> ${k.replaceAll("\\n", "\\n> ")}`',
  repeated: 'k + k + k',
}

const MARKS = [ONE, TWO, ...[ONE, TWO].flatMap(inBase64), ...[ONE, TWO].map(mark => Buffer.from(mark).toString('hex'))]

/** A mark in base64 at each of the three offsets. */
function inBase64(mark: string): string[] {
  return [0, 1, 2].map(before =>
    Buffer.from('x'.repeat(before) + mark)
      .toString('base64')
      .slice(before + 2, -4),
  )
}

function marksIn(text: string): string[] {
  return MARKS.filter(mark => text.includes(mark))
}

/** Files below a folder with a mark in their name or content. */
function filesWithMarks(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter(name => {
    const path = join(folder, name)
    return marksIn(name).length > 0 || (statSync(path).isFile() && marksIn(readFileSync(path, 'utf8')).length > 0)
  })
}

const ECHO = `const ways = { ${Object.entries(WAYS).map(([name, way]) => `${JSON.stringify(name)}: k => ${way}`)} }`
/** Leaks the key in the answer, tool calls and their keys, the model name, or a thrown error. */
const PROVIDER = providerModule(
  `const [way, where] = prompt.messages[0].content[0].value.split(' ')
    const x = ways[way](config.token)
    if (where === 'thrown') { const error = new TypeError(x); error.stack = x + '\\n    at ' + x; throw error }
    const tool_calls = [{ tool: x, input: { [x]: { deep: [x] } }, output: x, error: x }]
    return { text: x, model: x, finish_reason: x, output_messages: [{ role: 'assistant', content: x, tool_calls }] }`,
  ECHO,
)
/** Leaks the key on stderr in two chunks. */
const FAILS = `const k = process.env.MY_KEY; process.stderr.write('no ' + k.slice(0, 15)); setTimeout(() => { process.stderr.write(k.slice(15) + '\\n'); process.exit(3) }, 30)`
const JUDGE = `${ECHO}
const x = Object.values(ways).map(way => way(process.env.MY_KEY))
console.log(JSON.stringify({ score: 0.5, hits: x, misses: x, reasoning: x.join(' '), details: { [x[0]]: x } }))`
const BAD_JUDGE = `console.error(process.env.MY_KEY); console.log('no verdict but ' + process.env.MY_KEY)`

const ways = Object.keys(WAYS)
const answered = ways.map(way => ({ id: `answer-${way}`, input: `${way} said`, ...judgedBy('equals', 'nothing') }))
const thrown = ways.map(way => ({ id: `thrown-${way}`, input: `${way} thrown`, ...judgedBy('equals', 'nothing') }))
const judged = [JUDGE, BAD_JUDGE].map((code, index) => ({
  ...{ id: `judged-${index}`, criteria: 'c', input: 'plain said' },
  assert: [{ type: 'code_judge', command: ['node', '-e', code] }],
}))
const failed = { id: 'failed', ...judgedBy('equals', 'x'), input: 'Hi', execution: { target: 'program' } }

function judgedBy(type: string, value: string) {
  return { criteria: 'c', assert: [{ type, value }] }
}

const TARGETS = [
  { name: 'default', provider: './own.mjs', token: '${{ MY_KEY }}' },
  { name: 'program', provider: 'cli', command: ['node', '-e', FAILS], env: { MY_TOKEN: '${{ MY_KEY }}' }, retries: 0 },
]
const env = { MY_KEY: KEY }

let cwd = ''
let temporary = ''
const printed = new Map<string, Result>()

beforeAll(async () => {
  const tests = [...answered, ...thrown, ...judged, failed]
  cwd = folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'leaks', tests }),
    '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
    'own.mjs': PROVIDER,
  })
  temporary = folderWith()
  const outputs = ['json', 'jsonl', 'xml', 'csv', 'md', 'html'].flatMap(ending => ['-o', `out.${ending}`])
  await run('eval', '-v', '--log', '--cache', ...outputs)
  await run('explain', 'latest', '*')
  await run('explain', 'latest', '*', '--json')
  for (const format of ['text', 'json', 'jsonl', 'junit', 'markdown', 'csv', 'github', 'html'])
    await run('report', 'latest', '--format', format)
  await run('report', 'latest', '--format', 'skill-creator', '-o', 'skill', '--target', 'default')
  await run('compare', 'latest', 'latest')
  await run('compare', 'latest', 'latest', '--json')
  await run('eval', '--resume', '--json')
  await run('grade', 'latest')
  await run('merge', 'latest')
  await run('targets')
  await run('targets', '--json')
  await run('targets', 'program', '--ping')
  await run('validate', '--targets')
  await run('log', 'list')
  const logs = readdirSync(join(cwd, '.co/evals')).filter(name => name.endsWith('.yaml'))
  for (const name of logs.slice(0, 4)) await run('log', 'show', name.slice(0, -5))
  await run('log', 'run', 'plain said')
  await run('log', 'run', 'html said', '--json')
  await run('log', 'to-eval', '-o', 'from-logs.eval.yaml')
  await run('transpile', 'EVAL.yaml', '--out-dir', 'transpiled')
})

async function run(...args: string[]): Promise<void> {
  printed.set(args.join(' '), await assay(args, { cwd, env: { ...env, TMPDIR: temporary } }))
}

describe('a leaked key', () => {
  it('is in answers, errors and the output of programs and judges', () => {
    const results = resultsIn(cwd)
    expect(existsSync(join(runFolder(cwd), 'results.jsonl'))).toBe(true)
    expect(results.length).toBeGreaterThanOrEqual(ways.length + 2)
    expect(printed.get('explain latest * --json')?.stdout).toContain('[MY_KEY]')
  })

  it.each(ways)('is replaced by its name in the answer and the error (%s)', way => {
    const records = JSON.parse(printed.get('explain latest * --json')?.stdout ?? '[]')
    const [answer, error] = ['answer', 'thrown'].map(kind =>
      records.find(({ test_id }: { test_id: string }) => test_id === `${kind}-${way}`),
    )
    expect(marksIn(JSON.stringify([answer, error]))).toEqual([])
    expect(answer.answer).toContain('[MY_KEY]')
    expect(answer.output_messages[0].tool_calls[0].tool).toContain('[MY_KEY]')
    expect(error.error.message).toContain('[MY_KEY]')
  })

  it('is not in the output of any command', () => {
    const leaks = [...printed].filter(([, { stdout, stderr }]) => marksIn(stdout + stderr).length > 0)
    expect(leaks.map(([args]) => args)).toEqual([])
    expect([...printed].filter(([, { stdout, stderr }]) => stdout + stderr === '').map(([args]) => args)).toEqual([])
  })

  it('is in no file of the run, the cache, the logs or the reports', () => {
    expect(filesWithMarks(cwd)).toEqual([])
    for (const folder of ['.assay/runs', '.co/evals', 'skill', 'transpiled'])
      expect(existsSync(join(cwd, folder))).toBe(true)
  })

  it('is in no temporary file', () => {
    expect(filesWithMarks(temporary)).toEqual([])
  })
})
