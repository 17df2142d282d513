import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const TARGETS = JSON.stringify({
  targets: [
    {
      name: 'default',
      provider: 'mock',
      responses: [
        { pattern: 'csv', response: 'Done.', tool_calls: [{ tool: 'Skill', input: { skill: 'csv-analyzer' } }] },
        { pattern: '', response: 'Done.', tool_calls: [] },
      ],
    },
  ],
})
const SET = [
  { query: 'Read this csv', should_trigger: true, note: 'a key of another tool' },
  { query: 'What time is it?', should_trigger: false },
]
const SKILL = '---\nname: csv-analyzer\ndescription: Reads tables.\n---\n# CSV\n'
const BESIDE = { 'skill/SKILL.md': SKILL, '.assay/targets.yaml': TARGETS }

async function evaluated(files: Record<string, string>, args: readonly string[] = []) {
  const cwd = folderWith(files)
  const { code, stdout, stderr } = await assay(['eval', '--json', ...args], { cwd })
  const results = stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  return { cwd, code, stderr, results }
}

describe('a trigger set', () => {
  it.each(['trigger-evals.json', 'eval_queries.json', 'pdf.trigger-evals.json'])(
    'is found in a folder as %s',
    async name => {
      const { code, results } = await evaluated({ ...BESIDE, [`skill/evals/${name}`]: JSON.stringify(SET) })
      expect(results.map(({ test_id, verdict }) => [test_id, verdict])).toHaveLength(2)
      // The file name contains another skill, which is ignored.
      expect(code).toBe(name.startsWith('pdf.') ? 1 : 0)
    },
  )

  it('is a suite of trigger checks', async () => {
    const { results } = await evaluated({ ...BESIDE, 'skill/any-name.json': JSON.stringify(SET, null, 2) }, [
      'skill/any-name.json',
    ])
    expect(results).toMatchObject([
      {
        suite: 'csv-analyzer-triggers',
        test_id: '1',
        line: 2,
        evaluator_results: [{ trigger: { skill: 'csv-analyzer', should_trigger: true, triggered: true } }],
      },
      { test_id: '2', evaluator_results: [{ trigger: { should_trigger: false, triggered: false } }] },
    ])
  })

  it('is summarised with the beginning of each query', async () => {
    const long = { query: `Read this csv\nand ${'more '.repeat(30)}`, should_trigger: true }
    const { stderr } = await evaluated({ ...BESIDE, 'skill/trigger-evals.json': JSON.stringify([...SET, long]) })
    expect(stderr).toContain('  pass 1 "Read this csv": trigger rate 1.00 (1 of 1), should trigger\n')
    expect(stderr).toContain('  pass 2 "What time is it?": trigger rate 0.00 (0 of 1), should not trigger\n')
    expect(stderr).toMatch(/^ {2}pass 3 "Read this csv↵and (more )+(m|mo|mor|more)?…": trigger rate /m)
  })

  it('is validated and listed', async () => {
    const cwd = folderWith({ 'evals/csv.trigger-evals.json': JSON.stringify(SET) })
    expect(await assay(['validate'], { cwd })).toMatchObject({
      code: 0,
      stdout: 'No problems: 1 file checked, 1 suite with 2 tests.\n',
    })
    expect((await assay(['list'], { cwd })).stdout).toContain('csv-triggers')
  })

  it.each([
    [
      'the evals beside it',
      { 'a.b/evals.json': '{"skill_name": "pdf", "evals": [{"prompt": "p", "expectations": ["x"]}]}' },
      'pdf',
    ],
    ['the SKILL.md beside it', { 'a.b/SKILL.md': SKILL }, 'csv-analyzer'],
    ['the SKILL.md above it', { 'SKILL.md': SKILL.replaceAll('\n', '\r\n') }, 'csv-analyzer'],
  ])('takes its skill from %s', async (_, files, skill) => {
    const cwd = folderWith({ ...files, 'a.b/trigger-evals.json': JSON.stringify(SET) })
    const { stdout } = await assay(['transpile', '--from', 'a.b/trigger-evals.json'], { cwd })
    expect(load(stdout)).toMatchObject({ name: skill, tests: [{ assert: [{ type: 'trigger_judge', skill }] }, {}] })
  })

  it.each([
    ['nothing around it', {}],
    ['a SKILL.md without a name', { 'SKILL.md': '---\ndescription: x\n---\n' }],
    ['a SKILL.md that is not YAML', { 'SKILL.md': '---\nname: [\n---\n' }],
    ['a SKILL.md without frontmatter', { 'SKILL.md': '# name: csv\n' }],
    ['evals that name no skill', { 'evals.json': '{"evals": [{"prompt": "p"}]}' }],
  ])('without a skill is an error with %s', async (_, files) => {
    const cwd = folderWith({ ...files, 'trigger-evals.json': JSON.stringify(SET) })
    const { code, stdout } = await assay(['validate', 'trigger-evals.json'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('error unknown-skill\n  the skill of this trigger set is unknown')
  })

  it('with a query that has no label is a warning', async () => {
    const set = [...SET, { query: 'Who are you?' }]
    const files = { ...BESIDE, 'skill/trigger-evals.json': JSON.stringify(set, null, 2) }
    const cwd = folderWith(files)
    const { code, stdout } = await assay(['validate', 'skill'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('trigger-evals.json:11:3 warning nothing-grades')
    expect(stdout).toContain('hint: add `should_trigger`')
    expect((await evaluated(files)).code).toBe(3)
  })

  it.each([
    ['no queries', '[]', '1:1 error out-of-range'],
    ['an empty query', '[{"query": "", "should_trigger": true}]', '1:12 error out-of-range'],
    ['a label that is not a boolean', '[{"query": "q", "should_trigger": "yes"}]', '1:35 error wrong-type'],
    ['texts instead of queries', '["q"]', '1:2 error wrong-type'],
    ['a key twice', '[{"query": "q", "query": "r"}]', 'error duplicate-key'],
  ])('with %s is an error with its location', async (_, text, message) => {
    const cwd = folderWith({ 'csv.trigger-evals.json': text })
    const { code, stdout } = await assay(['validate'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain(message)
  })
})

describe('a transpiled trigger set', () => {
  const check = (should_trigger: boolean) => [{ type: 'trigger_judge', skill: 'csv-analyzer', should_trigger }]
  const suite = {
    name: 'csv',
    tests: [
      { id: 'reads', input: 'Read this csv', assert: check(true) },
      { id: 'time', input: 'What time is it?', assert: check(false) },
    ],
  }

  async function transpiled(): Promise<string> {
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(suite), '.assay/targets.yaml': TARGETS })
    expect((await assay(['transpile', 'EVAL.yaml', '--out-dir', 'evals'], { cwd })).code).toBe(0)
    return cwd
  }

  it('is skipped beside its suite', async () => {
    const { stdout, stderr } = await assay(['eval', '--json'], { cwd: await transpiled() })
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(stderr).toContain('Skipped evals/evals.json: EVAL.yaml has the same tests.')
    expect(stderr).toContain('Skipped evals/trigger-evals.json: EVAL.yaml has the same tests.')
  })

  it('is skipped beside its evals', async () => {
    const { stdout, stderr } = await assay(['eval', '--json', 'evals'], { cwd: await transpiled() })
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(stderr).toContain('Skipped evals/trigger-evals.json: evals/evals.json has the same tests.')
  })

  it('is run beside evals without trigger checks for the skill', async () => {
    const evals = SET.map(({ query }) => ({ prompt: query, expectations: ["Output contains 'Done'"] }))
    const { results, stderr } = await evaluated({
      ...BESIDE,
      'skill/evals/evals.json': JSON.stringify({ skill_name: 'csv-analyzer', evals }),
      'skill/evals/trigger-evals.json': JSON.stringify(SET),
    })
    expect(results).toHaveLength(4)
    expect(stderr).not.toContain('Skipped')
  })
})

describe('the trigger threshold', () => {
  const files = (metadata: object) => ({
    '.assay/targets.yaml': TARGETS,
    'EVAL.yaml': JSON.stringify({
      name: 'csv',
      metadata,
      tests: [{ id: 'reads', input: 'Read this csv', assert: [{ type: 'trigger_judge', skill: 'csv-analyzer' }] }],
    }),
  })
  const queryOf = (cwd: string) => JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).summary.triggers[0].queries[0]

  it.each([
    [{}, [], 0.5],
    [{ trigger_threshold: 0.8 }, [], 0.8],
    [{ trigger_threshold: 0.8 }, ['--trigger-threshold', '0.9'], 0.9],
    [{ trigger_threshold: 0 }, [], 0],
  ])('of a suite with %j and the options %j is recorded', async (metadata, args, threshold) => {
    const { cwd, stderr } = await evaluated(files(metadata), ['-o', 'r.json', ...args])
    expect(queryOf(cwd)).toMatchObject({ rate: 1, threshold, pass: true })
    expect(stderr).toContain(`  1 of 1 query passed (trigger threshold ${threshold})\n  pass reads: trigger rate 1.00`)
    const again = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(again.stdout).toContain(`(trigger threshold ${threshold})`)
  })

  it('of a resumed run stays the same', async () => {
    const { cwd } = await evaluated(files({}), ['--trigger-threshold', '0.7'])
    expect((await assay(['eval', '--resume', '-o', 'r.json'], { cwd })).code).toBe(0)
    expect(queryOf(cwd)).toMatchObject({ threshold: 0.7 })
  })

  it.each(['2', '-1', '"x"'])('of %s is an error', async value => {
    const { code, stderr } = await evaluated({
      'EVAL.yaml': `name: x\nmetadata: {trigger_threshold: ${value}}\ntests: []\n`,
    })
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:2:31 error')
    expect((await evaluated({}, ['--trigger-threshold', value])).code).toBe(2)
  })
})
