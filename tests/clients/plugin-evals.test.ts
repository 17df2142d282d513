import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Evaluated } from '../support/evaluation.ts'
import type { ModelServer } from './agent-servers.ts'
import {
  type ClientEnd,
  clientEval,
  clientGrades,
  evalsModel,
  ourEval,
  ourGrades,
  pluginWith,
  writesNotes,
} from './plugin-evals.ts'

/** Three cases with the graders that plugins use most: patterns, the use of the skill, and a judge. */
const CASES = {
  'format/prompt.md':
    '---\nruns: 2\nmax_turns: 4\nallowed_tools: [Read, Skill]\n---\nWrite the notes of release 2.0.\n',
  'format/graders/brackets.md': "---\ntype: regex\npattern: '^\\[\\d+\\.\\d+\\] '\nweight: 2\n---\n",
  'format/graders/no-apology.md': '---\ntype: regex\npattern: sorry\nflags: i\nmatch: not_contains\n---\n',
  'format/graders/skill-fired.md':
    '---\ntype: tool_used\ntool: Skill\ninput_match: \'"skill"\\s*:\\s*"(?:[\\w-]+:)?release-notes"\'\n---\n',
  'short/prompt.md': '---\nruns: 2\nallowed_tools: [Skill]\ntags: [smoke]\n---\nOne line about release 2.0, please.\n',
  'short/graders/starts.md': '---\ntype: regex\n---\n^\\[2\\.0\\]\n',
  'short/graders/reads-nothing.md': '---\ntype: tool_used\ntool: Read\nmin: 0\nmax: 0\n---\n',
  'short/graders/skill-fired.md': '---\ntype: tool_used\ntool: Skill\n---\n',
  'judged/prompt.md': '---\nruns: 2\nallowed_tools: [Skill]\n---\nWhat is new in release 2.0?\n',
  'judged/graders/faster.md': '---\ntype: llm\n---\nPASS if the reply says that the start is faster.\n',
}

describe('the evals of a plugin, run by Claude Code and by Assay', () => {
  let model: ModelServer
  let theirs: ClientEnd
  let ours: Evaluated

  beforeAll(async () => {
    // The judge wants words that only the answer with the skill has.
    model = await evalsModel(writesNotes, ({ prompt }) => prompt.includes('Faster start'))
    const plugin = pluginWith(CASES)
    theirs = await clientEval(plugin, model)
    ours = await ourEval(plugin, model)
  })
  afterAll(() => model.close())

  it('have the same score in each run, and the same result of each grader', () => {
    const grades = clientGrades(theirs)
    expect(Object.keys(grades).sort()).toEqual(
      ['format', 'judged', 'short'].flatMap(name => [`${name} with`, `${name} without`]),
    )
    expect(ourGrades(ours), ours.stderr).toEqual(grades)
  })

  it('pass with the plugin, and do not without it', () => {
    expect(theirs.code).toBe(0)
    expect(ours.code, ours.stderr).toBe(0)
    const passed = theirs.result?.cases.map(({ name, aggregates: { score } }) => [name, score >= 1])
    const withPlugin = ours.all.filter(({ target, trial }) => target === 'with-plugin' && trial === 1)
    const verdicts = withPlugin.map(({ test_id, verdict }) => [test_id, verdict === 'pass'])
    expect(verdicts.sort()).toEqual(passed?.toSorted())
  })
})

/** A server that the plugin declares, and one that it does not. */
const MOCKED = {
  'issue/prompt.md': '---\nruns: 1\n---\nOpen an issue for the login.\n',
  'issue/graders/calls.md': '---\ntype: regex\ntarget: mock_calls\npattern: Login\n---\n',
  'issue/graders/tool.md': '---\ntype: tool_used\ntool: mcp__plugin_notes_tracker__create_issue\n---\n',
  'day/prompt.md': '---\nruns: 1\n---\nWhich day is it?\n',
  'day/graders/calls.md': '---\ntype: regex\ntarget: mock_calls\npattern: today\n---\n',
  'day/graders/answer.md': '---\ntype: regex\npattern: 2026-11-17\n---\n',
  'mocks/tracker/create_issue.md': '---\nexpect:\n  title: string\n---\nCreated {{input.title}}\n',
  'mocks/calendar/today.md': '2026-11-17\n',
}
const TRACKER = {
  '.claude-plugin/plugin.json': JSON.stringify({
    name: 'notes',
    version: '1.0.0',
    mcpServers: { tracker: { command: 'node', args: ['no-such-server.mjs'] } },
  }),
}

describe('mocked servers, run by Claude Code and by Assay', () => {
  let model: ModelServer
  let theirs: ClientEnd
  let ours: Evaluated

  beforeAll(async () => {
    model = await evalsModel(({ text, results }) => {
      const isDay = text.includes('Which day is it?')
      if (results > 0) return [{ text: text.includes('2026-11-17') && isDay ? 'It is 2026-11-17' : 'Done' }]
      if (isDay) return [{ tool: 'mcp__calendar__today', input: {} }]
      return [{ tool: 'mcp__plugin_notes_tracker__create_issue', input: { title: 'Login' } }]
    })
    const plugin = pluginWith(MOCKED, TRACKER)
    theirs = await clientEval(plugin, model)
    ours = await ourEval(plugin, model)
  })
  afterAll(() => model.close())

  it('have the same results of the same calls', () => {
    const server = (target: string, id: string) =>
      ours.all.find(each => each.target === target && each.test_id === id)?.mock_calls?.map(({ server }) => server)
    expect(server('with-plugin', 'issue'), ours.stderr).toEqual(['tracker'])
    expect(server('without-plugin', 'issue')).toEqual([])
    expect(server('without-plugin', 'day')).toEqual(['calendar'])
    // The model calls the tool of the plugin in the other arm too, where it does not exist: only a call that succeeds counts.
    const { 'issue without': theirIssue, ...others } = clientGrades(theirs)
    expect(theirIssue).toMatchObject([{ graders: { calls: false, tool: true } }])
    const { 'issue without': ourIssue, ...our } = ourGrades(ours)
    expect(ourIssue).toMatchObject([{ graders: { calls: false, tool: false } }])
    expect(our).toEqual(others)
  })
})
