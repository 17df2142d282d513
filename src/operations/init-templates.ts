/** The kinds of agents that `assay init` has a suite for. */
export const TEMPLATES = ['python', 'http', 'model', 'skill', 'plugin'] as const

export type Template = (typeof TEMPLATES)[number]

/** The suite, the targets and the other files of a template, by path. They pass at once, without keys and network. */
export function templateFiles(template: Template): Readonly<Record<string, string>> {
  const { suite, targets, files = {} } = SOURCES[template]
  return {
    'EVAL.yaml': `# yaml-language-server: $schema=./.assay/schema/eval.schema.json\n${suite}`,
    '.assay/targets.yaml': `# yaml-language-server: $schema=./schema/targets.schema.json\n${targets}`,
    ...files,
  }
}

/** How a template becomes a suite of the agent of the reader. */
export function stepsToGoLive(template: Template): string {
  return SOURCES[template].live
}

interface Source {
  readonly live: string
  readonly suite: string
  readonly targets: string
  readonly files?: Readonly<Record<string, string>>
}

/** Two tests that any assistant passes. */
const QUESTIONS = `tests:
  - id: capital
    criteria: Names the capital, {{capital}}
    input: What is the capital of {{country}}? One word, please.
    assert:
      - type: contains
        value: "{{capital}}"
    rows:
      - { id: france, country: France, capital: Paris }
      - { id: norway, country: Norway, capital: Oslo }
`

/** Answers the questions from a table. */
const STAND_IN = `  # Answers from this table, without a key or a network.
  - name: stand-in
    provider: mock
    responses:
      - { pattern: France, response: Paris }
      - { pattern: Norway, response: Oslo }
`

const SKILL = `---
name: meeting-notes
description: Turns notes of a meeting into decisions and tasks. Use it when someone shares notes or a transcript of a meeting.
---

# Meeting notes

Write two lists: decisions, and tasks with the name of the person who has each.
`

function skillSuite(skill: string): string {
  return `tests:
  - id: uses-the-skill
    criteria: Uses the skill for notes of a meeting
    input: "Here are my notes of the meeting: Ana will order chairs. Please sort them."
    assert:
      - type: trigger_judge
        skill: ${skill}
  - id: answers-without-it
    criteria: Does not use the skill for another question
    input: What is 2 + 2?
    assert:
      - type: trigger_judge
        skill: ${skill}
        should_trigger: false
      - type: contains
        value: "4"
`
}

function skillStandIn(skill: string): string {
  return `  # Behaves as an agent that uses the skill for notes, without a key or a network.
  - name: stand-in
    provider: mock
    responses:
      - pattern: notes
        response: "Tasks: Ana orders chairs."
        tool_calls: [{ tool: Skill, input: { skill: ${skill} } }]
      - { pattern: "2 \\\\+ 2", response: "4", tool_calls: [] }
`
}

const LIVE = '  target: stand-in   # change this to `live`'

const STAND_IN_LINE = 'To go live: change `target: stand-in` to `live` in EVAL.yaml'

const SOURCES: Readonly<Record<Template, Source>> = {
  python: {
    live: 'To go live: call your agent in agent.py.',
    suite: `name: python-agent\nversion: "1.0"\n\nexecution:\n  target: default\n\n${QUESTIONS}`,
    targets: `targets:
  # The prompt comes on stdin; what the program prints is the answer.
  - name: default
    provider: cli
    command: [python3, agent.py]
`,
    files: {
      'agent.py': `import sys

ANSWERS = {"France": "Paris", "Norway": "Oslo"}

# Change this to a call of your agent.
prompt = sys.stdin.read()
print(next((answer for word, answer in ANSWERS.items() if word in prompt), "I do not know"))
`,
    },
  },
  http: {
    live: `${STAND_IN_LINE}, and the target \`live\` in .assay/targets.yaml to your server.`,
    suite: `name: http-agent\nversion: "1.0"\n\nexecution:\n${LIVE}\n\n${QUESTIONS}`,
    targets: `targets:
${STAND_IN}
  # Your server: change the URL, the body and where the answer is in the response.
  - name: live
    provider: http
    url: http://localhost:8000/chat
    body: { message: "{{prompt}}" }
    response: { text: answer }
`,
  },
  model: {
    live: `${STAND_IN_LINE}, and set OPENAI_API_KEY.`,
    suite: `name: model\nversion: "1.0"\n\nexecution:\n${LIVE}, and set OPENAI_API_KEY\n\n${QUESTIONS}`,
    targets: `targets:
${STAND_IN}
  # Other providers: anthropic, google, azure, openai_compatible.
  - name: live
    provider: openai
    model: gpt-5-mini
    api_key: \${{ OPENAI_API_KEY }}
`,
  },
  skill: {
    live: `${STAND_IN_LINE}, with Claude Code installed.`,
    suite: `name: meeting-notes\nversion: "1.0"\n\nexecution:\n${LIVE}, with Claude Code installed\n\n${skillSuite('meeting-notes')}`,
    targets: `targets:
${skillStandIn('meeting-notes')}
  - name: live
    provider: claude_cli
    skills: [skills/meeting-notes]
    workspace: empty
    max_turns: 5
`,
    files: { 'skills/meeting-notes/SKILL.md': SKILL },
  },
  plugin: {
    live: `${STAND_IN_LINE}, with Claude Code installed.`,
    suite: `name: office-plugin\nversion: "1.0"\n\nexecution:\n${LIVE}, with Claude Code installed\n\n${skillSuite('meeting-notes')}`,
    targets: `targets:
${skillStandIn('office:meeting-notes')}
  - name: live
    provider: claude_cli
    plugins: [plugin]
    workspace: empty
    max_turns: 5
`,
    files: {
      'plugin/.claude-plugin/plugin.json': `${JSON.stringify({ name: 'office', version: '0.1.0', description: 'Helps with meetings.' }, null, 2)}\n`,
      'plugin/skills/meeting-notes/SKILL.md': SKILL,
    },
  },
}
