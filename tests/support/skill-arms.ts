import { join } from 'node:path'
import { folderWith } from './program.ts'

const AGENT = join(import.meta.dirname, 'skill-agent.mjs')

const ARM = { provider: 'claude_cli', command: AGENT, retries: 0 }

/** Two arms that differ in a skill, which the agent uses if it has it. */
const ARMS = [
  { name: 'with-skill', ...ARM, skills: ['skills/csv-report'] },
  { name: 'without-skill', ...ARM, skills: [] },
]

/** A project with these tests for both arms. */
export function armsFolder(tests: readonly object[]): string {
  const suite = { name: 'arms', execution: { targets: ['with-skill', 'without-skill'] }, tests }
  return folderWith({
    'EVAL.yaml': JSON.stringify(suite),
    '.assay/targets.yaml': JSON.stringify({ targets: ARMS }),
    'skills/csv-report/SKILL.md': '---\nname: csv-report\n---\nWrite a report.\n',
  })
}

/** A test with a check of the skill and of the total. */
export const REPORT = {
  id: 'report',
  criteria: 'Sums up',
  input: 'Sum up sales.csv',
  assert: [
    { type: 'contains', value: 'Total: 7' },
    { type: 'trigger_judge', skill: 'csv-report', required: true },
  ],
}

/** A test of the skill only. */
export const TRIGGER = {
  id: 'trigger',
  criteria: 'Uses the skill',
  input: 'Sum up sales.csv, please',
  assert: [{ type: 'trigger_judge', skill: 'csv-report' }],
}
