import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutTimes } from '../support/agents.ts'
import { type Evaluated, evaluate, suiteWith } from '../support/evaluation.ts'
import { folderWith } from '../support/program.ts'
import { anthropicServer, type ModelServer } from './agent-servers.ts'
import { client } from './install.ts'

const SKILL = '---\nname: csv-report\ndescription: Makes a report from CSV\n---\nMake a table.\n'
const JUDGE = `import { readFileSync } from 'node:fs'
const { workspace_path } = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify({ score: readFileSync(workspace_path + '/report.md', 'utf8') === '# Report' ? 1 : 0 }))
`

let report: ModelServer
let oneTurn: ModelServer
let judging: ModelServer
let looking: ModelServer
let run: Evaluated
let folder: string

beforeAll(async () => {
  report = await anthropicServer(
    [{ text: 'I will use the skill.' }, { tool: 'Skill', input: { skill: 'csv-report' } }],
    [
      { tool: 'Bash', input: { command: "cat data.csv; printf '# Report' > report.md", description: 'report' } },
      { tool: 'Bash', input: { command: 'cat nothing', description: 'fails' } },
    ],
    [{ text: 'Done: the report is in report.md.' }],
  )
  oneTurn = await anthropicServer([{ tool: 'Skill', input: { skill: 'csv-report' } }])
  judging = await anthropicServer([
    { tool: 'StructuredOutput', input: { score: 1, hits: [], misses: [], reasoning: 'fine' } },
  ])
  looking = await anthropicServer(
    [{ tool: 'Bash', input: { command: 'cat report.md', description: 'look' } }],
    [{ tool: 'StructuredOutput', input: { items: [{ id: 'rubric-1', satisfied: true, reasoning: 'there' }] } }],
  )
  folder = folderWith({
    'EVAL.yaml': suiteWith([
      {
        id: 'report',
        input: 'Make a report',
        input_files: ['data.csv'],
        assert: [
          { type: 'contains', value: 'report.md' },
          { type: 'trigger_judge', skill: 'csv-report' },
          { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'Skill' }, { tool: 'Bash' }, { tool: 'Bash' }] },
          { type: 'code_judge', script: ['node', './judge.mjs'] },
          { type: 'llm_judge' },
          { type: 'agent_judge', target: 'looking', rubrics: ['There is a report'] },
        ],
      },
      {
        id: 'one-turn',
        input: 'Make a report',
        execution: { target: 'one-turn' },
        assert: [{ type: 'trigger_judge', skill: 'csv-report' }],
      },
    ]),
    '.assay/targets.yaml': JSON.stringify({
      targets: [
        target('default', report, {
          workspace: 'app',
          permission_mode: 'bypassPermissions',
          system_prompt: 'Be brief, please.',
        }),
        target('one-turn', oneTurn, { max_turns: 1 }),
        target('judge', judging, { skills: undefined }),
        target('looking', looking, { skills: undefined, args: ['--allowedTools', 'Bash'] }),
      ],
    }),
    'judge.mjs': JUDGE,
    'data.csv': 'a,b\n1,2\n',
    'app/README.md': 'An app\n',
    'skills/csv-report/SKILL.md': SKILL,
  })
  run = await evaluate(folder, [], { HOME: folderWith() })
})

afterAll(() => {
  for (const server of [report, oneTurn, judging, looking]) server.close()
})

function target(name: string, { url }: ModelServer, fields: object = {}): object {
  return {
    name,
    provider: 'claude_cli',
    command: client('claude'),
    skills: ['skills'],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'anything',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Outside a container, it does not allow root to skip permissions.
      IS_SANDBOX: '1',
    },
    ...fields,
  }
}

describe('the real Claude Code', () => {
  it('receives its system prompt, its prompt and its skills', () => {
    const [first] = report.requests
    expect(JSON.stringify(first?.['system'])).toContain('Be brief, please.')
    expect(JSON.stringify(first?.['messages'])).toContain('Make a report')
    expect(JSON.stringify(first)).toContain('csv-report: Makes a report from CSV')
  })

  it('has a transcript', () => {
    const record = run.results.get('report') ?? expect.unreachable(run.stderr)
    expect(record.error).toBeUndefined()
    expect(record.output_messages?.map(withoutTimes)).toEqual([
      {
        role: 'assistant',
        content: 'I will use the skill.',
        tool_calls: [{ tool: 'Skill', input: { skill: 'csv-report' }, output: 'Launching skill: csv-report' }],
      },
      { role: 'user', content: expect.stringContaining('Make a table.') },
      {
        role: 'assistant',
        tool_calls: [
          { tool: 'Bash', input: expect.objectContaining({ description: 'report' }), output: 'a,b\n1,2' },
          {
            tool: 'Bash',
            input: { command: 'cat nothing', description: 'fails' },
            output: expect.stringContaining('No such file'),
            error: expect.stringContaining('No such file'),
          },
        ],
      },
      { role: 'assistant', content: 'Done: the report is in report.md.' },
    ])
  })

  it('reports its usage, and is judged in its workspace', () => {
    const {
      verdict,
      token_usage,
      model,
      finish_reason,
      cost_usd = 0,
      workspace_path,
    } = run.results.get('report') ?? expect.unreachable(run.stderr)
    expect({ verdict, token_usage, model, finish_reason, workspace_path }).toEqual({
      verdict: 'pass',
      token_usage: { input: 330, cached: 30, output: 60, reasoning: 0 },
      model: 'claude-sonnet-4-5',
      finish_reason: 'stop',
      workspace_path: undefined,
    })
    expect(cost_usd).toBeGreaterThan(0)
    expect(existsSync(join(folder, 'app/report.md'))).toBe(false)
  })

  it('judges with the reply schema', () => {
    const [first] = judging.requests
    const tools = first?.['tools'] as { name: string; input_schema: { properties: object } }[]
    const reply = tools.find(({ name }) => name === 'StructuredOutput')
    expect(Object.keys(reply?.input_schema.properties ?? {})).toEqual(['score', 'hits', 'misses', 'reasoning'])
    const judged = run.results.get('report')?.evaluator_results.find(({ type }) => type === 'llm_judge')
    expect(judged).toMatchObject({ score: 1, reasoning: 'fine' })
  })

  it('inspects the workspace before it judges', () => {
    const judged = run.results.get('report')?.evaluator_results.at(-1)
    expect(judged).toMatchObject({ type: 'agent_judge', score: 1, items: [{ id: 'rubric-1', reasoning: 'there' }] })
    const [, second] = looking.requests
    expect(JSON.stringify(second?.['messages'])).toContain('"content":"# Report"')
  })

  it('uses a skill in its only turn', () => {
    expect(run.results.get('one-turn')).toMatchObject({ verdict: 'pass', finish_reason: 'max_turns' })
  })
})
