import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itWithPlainPython } from '../../support/external/python.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { embed } from '../../support/servers/embeddings.ts'
import { type Server, serve } from '../../support/servers/server.ts'

/** Kinds of assertions, in turn; what each does with the answer `Oslo is the capital of Norway.` */
const ASSERTIONS: readonly { readonly assertion: object; readonly passes: boolean }[] = [
  { assertion: { type: 'contains', value: '{{capital}}' }, passes: true },
  { assertion: { type: 'icontains-any', value: 'rome, NORWAY' }, passes: true },
  { assertion: { type: 'regex', value: 'cap[a-z]+l' }, passes: true },
  { assertion: { type: 'not-starts-with', value: 'Oslo' }, passes: false },
  { assertion: { type: 'is-json' }, passes: false },
  { assertion: { type: 'llm-rubric', value: 'Names {{capital}}' }, passes: true },
  { assertion: { type: 'similar', value: 'Oslo is the capital of Norway', threshold: 0.9 }, passes: true },
  { assertion: { type: 'cost', threshold: 0.001 }, passes: false },
  { assertion: { type: 'latency', threshold: 60_000 }, passes: true },
  {
    assertion: {
      type: 'assert-set',
      threshold: 0.5,
      assert: [
        { type: 'contains', value: 'Norway' },
        { type: 'contains', value: 'Sweden' },
      ],
    },
    passes: true,
  },
  { assertion: { type: 'contains-all', value: ['Oslo', 'Bergen'] }, passes: false },
  { assertion: { type: 'is-sql' }, passes: true },
]

/** Assertions that are programs are few: each is a process. */
const PROGRAMS = [
  { assertion: { type: 'javascript', value: 'output.includes(context.vars.capital)' }, passes: true },
  { assertion: { type: 'python', value: 'len(output) > 1000' }, passes: false },
]

const KINDS = Array.from(
  { length: 270 },
  (_, index) => (index < 6 ? PROGRAMS[index % 2] : ASSERTIONS[index % ASSERTIONS.length]) as (typeof PROGRAMS)[number],
)

const CONFIG = {
  description: 'Geography',
  prompts: ['What is the capital of {{country}}?', 'Q: {{ country | upper }}\nA:'],
  providers: [
    { id: 'openai:chat:gpt-5-mini', label: 'mini', config: { temperature: 0, seed: 7, apiKey: 'sk-proj-0123456789' } },
    { id: 'bedrock:some-model', label: 'other' },
    { id: 'anthropic:messages:claude-sonnet-4-5', label: 'sonnet' },
  ],
  defaultTest: {
    vars: { capital: 'Oslo' },
    options: { provider: 'openai:gpt-5' },
    assert: [{ type: 'not-contains', value: 'As an AI' }],
  },
  tests: [
    ...KINDS.map(({ assertion }, index) => ({
      description: `Case ${index}`,
      vars: { country: `Country ${index}` },
      assert: [assertion, { type: 'icontains', value: 'capital', weight: 2 }],
    })),
    'file://cases.csv',
  ],
}

const CSV = [
  'country,__expected,__description',
  ...Array.from(
    { length: 30 },
    (_, index) => `Land ${index},${index % 3 === 0 ? 'contains: Rome' : 'contains: Oslo'},row ${index}`,
  ),
].join('\n')

/** The targets that answer without a model. */
function standIns(names: readonly string[], url: string) {
  const base = { cost_usd: 0.01, duration_ms: 5 }
  const judge = '{"items": [{"id": "rubric-1", "satisfied": true, "reasoning": "It does."}]}'
  return names.map(name => {
    if (name.startsWith('embeddings'))
      return { name, provider: 'openai_compatible', model: 'words', base_url: url, api_key: 'none' }
    const response = name.startsWith('judge') ? judge : 'Oslo is the capital of Norway.'
    return { name, provider: 'mock', responses: [{ pattern: '.', response, ...base }] }
  })
}

describe('a promptfoo configuration of 300 tests, 2 prompts and 3 providers', () => {
  let server: Server
  beforeAll(async () => {
    server = await serve(embed)
  })
  afterAll(() => server.close())

  const folder = () =>
    folderWith({
      'package.json': '{}',
      'promptfooconfig.json': JSON.stringify(CONFIG, null, 2),
      'cases.csv': `${CSV}\n`,
    })

  it('is imported with a report that fits a screen, and is valid without warnings', async () => {
    const cwd = folder()
    const { code, stdout, stderr } = await assay(['import', 'promptfooconfig.json'], { cwd })
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length, stdout).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map(line => line.length)), stdout).toBeLessThanOrEqual(80)
    expect(stdout).toContain('256 tests carried over, 44 approximated, 0 left out')
    const report = readFileSync(join(cwd, 'import-report.md'), 'utf8')
    expect(report).toContain('the assertion `is-sql`, which Assay does not have')
    expect(report.match(/promptfooconfig\.json:\d+:\d+/g)?.length).toBeGreaterThan(20)
    const validated = await assay(['validate'], { cwd })
    expect([validated.code, validated.stdout + validated.stderr]).toEqual([
      0,
      expect.stringContaining('No problems: 2 files checked, 1 suite with 300 tests.'),
    ])
    const suite = load(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')) as Record<string, unknown[]>
    expect(suite['variants']).toHaveLength(2)
    expect(suite['tests']).toHaveLength(271)
    expect(readFileSync(join(cwd, '.assay/targets.yaml'), 'utf8')).not.toContain('sk-proj')
  })

  itWithPlainPython('runs every test on every arm without errors, with the verdicts of promptfoo', async () => {
    const cwd = folder()
    await assay(['import', 'promptfooconfig.json'], { cwd })
    const file = join(cwd, '.assay/targets.yaml')
    const { targets } = load(readFileSync(file, 'utf8')) as { targets: { name: string }[] }
    const names = targets.map(({ name }) => name)
    writeFileSync(file, JSON.stringify({ targets: standIns(names, server.url) }))
    const { code, stderr } = await assay(['eval', '--quiet', '-o', 'results.jsonl'], { cwd })
    expect(code, stderr).toBe(1)
    const results = readFileSync(join(cwd, 'results.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(results).toHaveLength(300 * 2 * 2)
    expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([])
    const wanted = (id: string) => {
      const [, kind, number] = /^(case|cases-row)-(\d+)$/.exec(id) ?? []
      const passes = kind === 'case' ? KINDS[Number(number)]?.passes : Number(number) % 3 !== 0
      return passes ? 'pass' : 'fail'
    }
    expect(results.filter(({ test_id, verdict }) => verdict !== wanted(test_id))).toEqual([])
    expect(existsSync(join(cwd, 'import-report.md'))).toBe(true)
  })
})
