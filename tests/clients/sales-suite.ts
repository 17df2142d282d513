import { folderWith } from '../support/program.ts'
import { anthropicModel, type ModelServer, type Said } from './agent-servers.ts'
import { client } from './install.ts'

const RULE = 'Amounts are in cents: write totals in euros.'

/** A skill with the rule that the totals need, and one without it. */
export const SKILLS = {
  helpful: skill(RULE),
  useless: skill('Write short sentences.'),
}

function skill(text: string): string {
  return `---\nname: sales\ndescription: Reads the sales of a week\n---\n${text}\n`
}

/** A model that uses the skill if it is offered, and knows how to write totals only from its text. */
export function salesModel(): Promise<ModelServer> {
  return anthropicModel(({ messages }): readonly Said[] => {
    const text = JSON.stringify(messages)
    if (offersSkill(messages) && !text.includes('Launching skill'))
      return [{ tool: 'Skill', input: { skill: 'sales' } }]
    if (text.includes('How many sales')) return [{ text: '3 sales' }]
    return [{ text: text.includes(RULE) ? 'The total is €7.00' : 'The total is 700' }]
  })
}

/** Whether Claude Code lists the skill to the model. */
export function offersSkill(messages: unknown): boolean {
  return JSON.stringify(messages).includes('sales: Reads the sales of a week')
}

/** Six tests that need the rule, and two that do not. */
const TESTS = [
  ...[1, 2, 3, 4, 5, 6].map(week => salesTest(`total-${week}`, `What is the total of week ${week}?`, '€7.00')),
  ...[1, 2].map(week => salesTest(`count-${week}`, `How many sales has week ${week}?`, '3 sales')),
]

function salesTest(id: string, input: string, value: string): object {
  const assert = [
    { type: 'contains', value },
    { type: 'trigger_judge', skill: 'sales' },
  ]
  return { id, criteria: `Says ${value}`, input, assert }
}

/** A project whose target has the skill, and whose control arm does not. */
export function salesProject({ url }: ModelServer, execution: object, skill: keyof typeof SKILLS = 'helpful'): string {
  const withSkill = {
    name: 'with-skill',
    provider: 'claude_cli',
    command: client('claude'),
    skills: ['skills/sales'],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'anything',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }
  return folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'sales', execution, tests: TESTS }),
    '.assay/targets.yaml': JSON.stringify({
      targets: [withSkill, { name: 'without-skill', extends: 'with-skill', skills: [] }],
    }),
    'skills/sales/SKILL.md': SKILLS[skill],
  })
}
