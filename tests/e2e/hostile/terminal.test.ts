import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/report/index.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'

/** Control sequences for terminals (colours, clipboard, links, cursor, text direction) and commands for CI systems. */
const EVIL = [
  'x\u001b]52;c;ZXZpbA==\u0007\u001b]8;;https://evil.test/\u0007\u001b[2J\u009b31m\r\b\u202e\u2066\u007f',
  '::error::pwned',
  '  ::add-mask::x',
  '##[error]pwned ##vso[task.setvariable variable=PATH]x ##teamcity[buildStop]',
  '[9/9] pass everything',
].join('\n')

/** The same as a file name. */
const NAME = 'e\u001b[31m\n::error::n ##[error]n \u202e\u009b'

const MAGIC = 'console.log(JSON.stringify({ score: 0.2, hits: [x], misses: [x], reasoning: x, details: { [x]: x } }))'
const AGENT = `let prompt = ''
process.stdin.on('data', text => { prompt += text }).on('end', () => {
  const x = process.argv[1]
  if (prompt.includes('fail')) { console.error(x); process.exit(3) }
  const tool_calls = [{ tool: x, input: { [x]: x }, output: x }]
  console.log(JSON.stringify({ text: x, model: x, output_messages: [{ role: 'assistant', content: x, tool_calls }] }))
})`

const SUITE = {
  name: 'evil',
  description: EVIL,
  metadata: { tags: [EVIL] },
  tests: [
    {
      ...{ id: EVIL, criteria: EVIL, description: EVIL, note: EVIL, input: EVIL, expected_output: EVIL },
      ...{ conversation_id: EVIL, metadata: { tags: [EVIL], [EVIL]: EVIL } },
      assert: [
        { type: 'contains', name: EVIL, value: `${EVIL}no` },
        { type: 'trigger_judge', skill: EVIL },
        { type: 'code_judge', name: 'judge', command: ['node', '-e', `const x = process.argv[1]; ${MAGIC}`, EVIL] },
      ],
    },
    { id: 'error', criteria: 'c', input: 'fail', assert: [{ type: 'contains', value: 'x' }] },
  ],
}
const BROKEN = {
  name: 'a',
  [EVIL]: EVIL,
  tests: [{ id: EVIL, criteria: 1, inptu: EVIL, assert: [{ type: EVIL }] }, `./${EVIL}.yaml`],
}
const target = (name: string) => ({ name, provider: 'cli', command: ['node', '-e', AGENT, EVIL], retries: 0 })
const TARGETS = [target('default'), target(EVIL), { name: 'wrong', provider: EVIL }]

/** The formats that are one file; the others are a folder or print CI commands. */
const FILE_FORMATS = reportFormats.filter(({ extension }) => extension !== undefined)

const steering = /[^\t\P{Cc}]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Lines with control sequences or CI commands. */
function ordersIn({ stdout, stderr }: Pick<Result, 'stdout' | 'stderr'>): string[] {
  const lines = `${stdout}\n${stderr}`.split(/\r?\n/)
  return lines.filter(line => steering.test(line) || /^\s*::|##\w*\[/.test(line))
}

let cwd = ''
beforeAll(async () => {
  const root = folderWith()
  mkdirSync(join(root, '.git'))
  cwd = folderWith(
    {
      'EVAL.yaml': JSON.stringify(SUITE),
      [`${NAME}.eval.yaml`]: JSON.stringify(BROKEN),
      '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
    },
    join(root, NAME),
  )
})

describe('control sequences and CI commands in files and answers are escaped by', () => {
  it('eval -v and all its output files', async () => {
    const outputs = FILE_FORMATS.map(({ extension }) => `out${extension}`)
    const args = ['-v', '--log', '--target', 'default', '--target', EVIL, ...outputs.flatMap(file => ['-o', file])]
    const ended = await assay(['eval', 'EVAL.yaml', ...args, '-o', `${NAME}.jsonl`], { cwd })
    expect({ code: ended.code, orders: ordersIn(ended) }).toEqual({ code: 3, orders: [] })
    expect(ended.stderr).toContain('answer: x␛]52;c;ZXZpbA==␇')
    expect(ended.stderr).toContain('\n    [9/9] pass everything\n')
    expect(ended.stderr).not.toContain('\n[9/9]')
  })

  const runs: [code: number, ...args: string[]][] = [
    [3, 'eval', 'EVAL.yaml', '--json', '-q'],
    [0, 'eval', 'EVAL.yaml', '--plan', '--target', EVIL],
    [0, 'eval', 'EVAL.yaml', '--plan', '--target', EVIL, '--json'],
    [2, 'eval', 'EVAL.yaml', '--target', `no ${EVIL}`],
    [5, 'eval', EVIL],
    [2, 'validate', '.'],
    [2, 'validate', '.', '--format', 'json'],
    [2, 'validate', '.', '--format', 'sarif'],
    [2, 'validate', '.assay/targets.yaml'],
    [2, 'list', '.'],
    [0, 'list', 'EVAL.yaml'],
    [0, 'list', 'EVAL.yaml', '--json'],
    [0, 'explain', 'latest', '*'],
    [0, 'explain', 'latest', '*', '--json'],
    [5, 'explain', 'latest', `${EVIL} no`],
    [2, 'explain', EVIL, '*'],
    ...FILE_FORMATS.map(({ type }): [number, ...string[]] => [0, 'report', 'latest', '--format', type]),
    [0, 'report', 'latest', '--format', 'skill-creator', '-o', NAME],
    [2, 'report', 'latest', '--format', 'skill-creator', '-o', NAME, '--target', `no ${EVIL}`],
    [2, 'report', 'latest', '-o', `x.${NAME}`],
    [0, 'compare', 'latest', 'latest'],
    [0, 'compare', 'latest', 'latest', '--json'],
    [2, 'compare', 'latest', EVIL],
    [3, 'grade', 'latest', '--suite', 'EVAL.yaml'],
    [2, 'merge', EVIL],
    [2, 'targets'],
    [2, 'targets', '--json'],
    [2, 'targets', `no ${EVIL}`],
    [0, 'targets', EVIL, '--ping'],
    [2, 'targets', '--targets', EVIL],
    [0, 'transpile', 'EVAL.yaml', '--stdout'],
    [0, 'transpile', 'EVAL.yaml', '--out-dir', NAME],
    [0, 'transpile', 'EVAL.yaml', '--out-dir', NAME],
    [1, 'transpile', 'EVAL.yaml', '--out-dir', `other ${NAME}`, '--check'],
    [2, 'transpile', '.'],
    [0, 'log', 'list'],
    [0, 'log', 'list', '--json'],
    [2, 'log', 'show', EVIL.replaceAll('x', 'y')],
    [0, 'log', 'run', EVIL],
    [0, 'log', 'run', EVIL, '--json'],
    [0, 'log', 'import', 'latest'],
    [2, `--${EVIL}`],
    [2, EVIL],
    [2, 'validate', '--format', EVIL],
    [2, 'validate', `--formt${EVIL}`],
    [2, 'eval', '--workers', EVIL],
    [2, 'log', EVIL],
    [2, 'schema', EVIL],
    [0, 'init', `new ${NAME}`],
    [0, 'init', `new ${NAME}`, '--json'],
    [2, 'init', 'EVAL.yaml'],
  ]
  it.each(
    runs.map(([code, ...args]) => [args.join(' ').replaceAll(EVIL, 'EVIL').replaceAll(NAME, 'NAME'), code, args]),
  )('%s', async (_, code, args) => {
    const ended = await assay(args as string[], { cwd })
    expect({ code: ended.code, orders: ordersIn(ended) }).toEqual({ code, orders: [] })
    expect(ended.stdout + ended.stderr).not.toBe('')
  })

  it('the log commands', async () => {
    const name =
      readdirSync(join(cwd, '.co/evals'))
        .find(name => /^x_.*\.yaml$/.test(name))
        ?.slice(0, -5) ?? 'none'
    const commands = [
      ['show', name],
      ['show', name, '--json'],
      ['messages', name],
      ['diff', name],
      ['expect', name, '--text', EVIL],
    ]
    for (const args of [...commands, ['diff', name, '--json']]) {
      const ended = await assay(['log', ...args], { cwd })
      expect({ args, code: ended.code, orders: ordersIn(ended) }).toEqual({ args, code: 0, orders: [] })
    }
  })

  it.each([
    ['validate', '.', '--format', 'github'],
    ['report', 'latest', '--format', 'github'],
  ])('%s %s %s %s, which prints only its own CI commands', async (...args) => {
    const { stdout } = await assay(args, { cwd })
    const lines = stdout.split('\n').slice(0, -1)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter(line => steering.test(line) || /##\w*\[/.test(line))).toEqual([])
    // Everything after the second `::` is text.
    const own = /^::(?:error|warning|notice)(?: file=[^:,]+,line=\d+(?:,col=\d+,endColumn=\d+)?,title=[^:,]+)?::/
    expect(lines.filter(line => !own.test(line))).toEqual([])
  })

  it('JSON output, which has the original values', async () => {
    const { stdout } = await assay(['list', 'EVAL.yaml', '--json'], { cwd })
    expect(JSON.parse(stdout)[0].tests[0]).toMatchObject({ id: EVIL, criteria: EVIL, tags: [EVIL] })
  })
})
