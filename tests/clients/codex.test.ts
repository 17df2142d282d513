import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutTimes } from '../support/agents.ts'
import { type Evaluated, evaluate, suiteWith } from '../support/evaluation.ts'
import { folderWith } from '../support/program.ts'
import { type ModelServer, responsesServer } from './agent-servers.ts'
import { client } from './install.ts'

const SKILL = '---\nname: csv-report\ndescription: Makes a report from CSV\n---\nMake a table.\n'
const PATCH = `apply_patch <<'EOF'
*** Begin Patch
*** Add File: report.md
+# Report
*** End Patch
EOF
`
const REPLY = JSON.stringify({ score: 1, hits: [], misses: [], reasoning: 'fine' })

let report: ModelServer
let judging: ModelServer
let run: Evaluated
let home: string

beforeAll(async () => {
  report = await responsesServer(
    [{ text: 'Looking.' }, { tool: 'exec_command', input: { cmd: 'cat $CODEX_HOME/skills/csv-report/SKILL.md' } }],
    [{ tool: 'exec_command', input: { cmd: 'cat nothing' } }],
    [{ tool: 'exec_command', input: { cmd: PATCH } }],
    [{ text: 'Done: the report is in report.md.' }],
  )
  judging = await responsesServer([{ text: REPLY }])
  const folder = folderWith({
    'EVAL.yaml': suiteWith([
      {
        id: 'report',
        input: 'Make a report',
        assert: [
          { type: 'contains', value: 'report.md' },
          { type: 'trigger_judge', skill: 'csv-report' },
          { type: 'code_judge', command: 'grep -q "# Report" report.md && echo \'{"score": 1}\'' },
          { type: 'llm_judge' },
        ],
      },
    ]),
    '.assay/targets.yaml': JSON.stringify({
      targets: [
        target('default', report, { workspace: 'app', skills: ['skills'], system_prompt: 'Be brief, "please".' }),
        target('judge', judging),
      ],
    }),
    'app/README.md': 'An app\n',
    'skills/csv-report/SKILL.md': SKILL,
  })
  // Codex rejects a home in the temporary folder.
  home = mkdtempSync(join(import.meta.dirname, '../../.clients/home-'))
  run = await evaluate(folder, [], { HOME: home })
})

afterAll(() => {
  report.close()
  judging.close()
  rmSync(home, { recursive: true })
})

function target(name: string, { url }: ModelServer, fields: object = {}): object {
  const provider = { name: 'stub', base_url: `${url}/v1`, env_key: 'STUB_KEY', wire_api: 'responses' }
  const settings = Object.entries(provider).map(
    ([key, value]) => `model_providers.stub.${key}=${JSON.stringify(value)}`,
  )
  return {
    name,
    provider: 'codex_cli',
    command: client('codex'),
    model: 'gpt-5.1-codex',
    permission_mode: 'bypass',
    args: ['model_provider=stub', ...settings].flatMap(setting => ['-c', setting]),
    env: { STUB_KEY: 'anything' },
    ...fields,
  }
}

describe('the real Codex', () => {
  it('receives its instructions, its prompt and its skills', () => {
    const sent = JSON.stringify(report.requests[0])
    expect(sent).toContain(JSON.stringify('Be brief, "please".').slice(1, -1))
    expect(sent).toContain('Make a report')
    expect(sent).toContain('csv-report: Makes a report from CSV')
  })

  it('has a transcript', () => {
    const record = run.results.get('report') ?? expect.unreachable(run.stderr)
    expect(record.error).toBeUndefined()
    expect(record.output_messages?.map(withoutTimes)).toEqual([
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          {
            tool: 'Read',
            raw_tool: 'command_execution',
            input: {
              file_path: '$CODEX_HOME/skills/csv-report/SKILL.md',
              command: 'cat $CODEX_HOME/skills/csv-report/SKILL.md',
            },
            output: SKILL,
          },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [
          {
            tool: 'Bash',
            raw_tool: 'command_execution',
            input: { command: 'cat nothing' },
            output: expect.stringContaining('No such file'),
            error: expect.stringContaining('exit code 1'),
          },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [
          {
            tool: 'Write',
            raw_tool: 'file_change',
            input: { file_path: expect.stringMatching(/\/report\.md$/), kind: 'add' },
          },
        ],
      },
      { role: 'assistant', content: 'Done: the report is in report.md.' },
    ])
  })

  it('reports its usage, and is judged in its workspace', () => {
    const { verdict, token_usage, model } = run.results.get('report') ?? expect.unreachable(run.stderr)
    expect({ verdict, token_usage, model }).toEqual({
      verdict: 'pass',
      token_usage: { input: 400, cached: 40, output: 80, reasoning: 20 },
      model: 'gpt-5.1-codex',
    })
  })

  it('judges with the reply schema', () => {
    const { text } = judging.requests[0] as { text?: { format?: { schema?: { properties?: object } } } }
    expect(Object.keys(text?.format?.schema?.properties ?? {})).toEqual(['score', 'hits', 'misses', 'reasoning'])
    expect(run.results.get('report')?.evaluator_results.at(-1)).toMatchObject({ score: 1, reasoning: 'fine' })
  })
})
