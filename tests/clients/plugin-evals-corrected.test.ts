import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { runInfoOf } from '../support/runs.ts'
import type { ModelServer } from './agent-servers.ts'
import { clientEval, evalsModel, ourEval, pluginWith, writesNotes } from './plugin-evals.ts'

// Situations in which `claude plugin eval` 2.1.325 gives a wrong result, each with what Assay gives instead.

const models: ModelServer[] = []
const modelOf: typeof evalsModel = async (...parts) => {
  const model = await evalsModel(...parts)
  models.push(model)
  return model
}
afterEach(() => {
  for (const model of models.splice(0)) model.close()
})

const RUNS_ONCE = '---\nruns: 1\nallowed_tools: [Skill]\n---\n'
const PROMPT = `${RUNS_ONCE}Write the notes of release 2.0.\n`
const FASTER = '---\ntype: llm\n---\nPASS if the reply says that the start is faster.\n'
const NAMES_VERSION = '---\ntype: regex\npattern: 2\\.0\n---\n'

/** One case with these graders. */
const oneCase = (graders: Record<string, string>, prompt = PROMPT) => ({
  'notes/prompt.md': prompt,
  ...Object.fromEntries(Object.entries(graders).map(([name, text]) => [`notes/graders/${name}.md`, text])),
})

/** As many cases as a difference in all of them is evidence. */
const sevenCases = (graders: Record<string, string>) =>
  Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [
      [`case-${index}/prompt.md`, `${RUNS_ONCE}Write note ${index} of release 2.0.\n`],
      ...Object.entries(graders).map(([name, text]) => [`case-${index}/graders/${name}.md`, text]),
    ]).flat(),
  )

describe('an outage of the judge in the arm without the plugin', () => {
  it('is an error without a score, and no difference is claimed from it', async () => {
    const model = await modelOf(writesNotes, ({ prompt }) => prompt.includes('Faster start') || { status: 400 })
    const plugin = pluginWith(sevenCases({ faster: FASTER }))
    const theirs = await clientEval(plugin, model)
    const claimed = { score: 1, scoreWithout: 0, delta: 1 }
    expect(theirs.result?.cases.map(({ aggregates }) => aggregates)).toMatchObject(Array(7).fill(claimed))
    expect(theirs.code).toBe(0)

    const ours = await ourEval(plugin, model, ['--require-better'])
    const without = ours.all.filter(({ target }) => target === 'without-plugin')
    expect(without, ours.stderr).toMatchObject(Array(7).fill({ verdict: 'error', score: null }))
    expect(ours.stderr).toContain('without the 7 tests with errors: no tests left, inconclusive')
    expect(ours.code).not.toBe(0)
  })
})

describe('a run that times out, with graders of what must not be', () => {
  it('has no answer, and no verdict', async () => {
    const model = await modelOf(() => 'silence')
    const prompt = '---\nruns: 1\ntimeout_seconds: 5\n---\nWrite the notes of release 2.0.\n'
    const never = '---\ntype: regex\npattern: sorry\nmatch: not_contains\n---\n'
    const plugin = pluginWith(oneCase({ polite: never }, prompt))
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(theirs.result?.cases[0]?.aggregates.score).toBe(1)

    const ours = await ourEval(plugin, model, ['--target', 'with-plugin'])
    expect(ours.all, ours.stderr).toMatchObject([{ verdict: 'error', score: null, error: { code: 'timeout' } }])
    expect(ours.code).not.toBe(0)
  })
})

describe('a plugin that makes answers worse', () => {
  it('fails the gate of a regression', async () => {
    const model = await modelOf(writesNotes)
    const plugin = pluginWith(
      sevenCases({ version: NAMES_VERSION, prose: '---\ntype: regex\npattern: Version 2\n---\n' }),
    )
    const theirs = await clientEval(plugin, model, ['--threshold', '0.5'])
    expect(theirs.result?.cases.map(({ aggregates: { delta } }) => delta)).toEqual(Array(7).fill(-0.5))
    expect(theirs.code).toBe(0)

    const ours = await ourEval(plugin, model, ['--threshold', '0.5', '--fail-on-regression'])
    expect(ours.stderr).toContain('score      1.00')
    expect(ours.stderr).toMatch(/−0\.500 \[/)
    expect(ours.code, ours.stderr).toBe(1)
  })
})

describe('a rate limit', () => {
  // The client waits for minutes before it gives up, and then scores the run 0; so ours alone.
  it('is an error of the attempt', async () => {
    const model = await modelOf(() => ({ status: 429 }))
    const target = {
      name: 'with-plugin',
      provider: 'claude_cli',
      plugins: ['.'],
      workspace: 'empty',
      permission_mode: 'dontAsk',
      retries: 0,
    }
    const plugin = pluginWith(oneCase({ version: NAMES_VERSION }), {
      '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
    })
    const ours = await ourEval(plugin, model, ['--target', 'with-plugin'])
    expect(ours.all, ours.stderr).toMatchObject([{ verdict: 'error', score: null }])
    expect(ours.code).not.toBe(0)
  })
})

describe('a call of a tool that does not exist', () => {
  it('is not a use of the tool', async () => {
    const model = await modelOf(({ results }) =>
      results === 0 ? [{ tool: 'Publish', input: { version: '2.0' } }] : [{ text: 'Published 2.0' }],
    )
    const plugin = pluginWith(oneCase({ published: '---\ntype: tool_used\ntool: Publish\n---\n' }))
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(theirs.result?.cases[0]?.aggregates.score).toBe(1)
    expect(theirs.code).toBe(0)

    const ours = await ourEval(plugin, model, ['--target', 'with-plugin'])
    expect(ours.all, ours.stderr).toMatchObject([{ verdict: 'fail', score: 0 }])
    expect(ours.code).toBe(1)
  })
})

describe('a grader that can never be right', () => {
  it('is reported before the run', async () => {
    const model = await modelOf(writesNotes)
    const plugin = pluginWith(
      oneCase({
        broken: "---\ntype: regex\npattern: '(2\\.0'\n---\n",
        never: '---\ntype: tool_used\ntool: Bash\nmax: 0\n---\n',
      }),
    )
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(theirs.result?.cases[0]?.aggregates.score).toBe(0)

    const asked = model.requests.length
    const ours = await ourEval(plugin, model)
    expect(ours.code).toBe(2)
    expect(ours.stderr).toContain('evals/notes/graders/broken.md:3')
    expect(ours.stderr).toContain('evals/notes/graders/never.md')
    expect(model.requests).toHaveLength(asked)
  })
})

describe('a case that does not load', () => {
  it('is named, and nothing runs without it', async () => {
    const model = await modelOf(writesNotes)
    const plugin = pluginWith({
      ...oneCase({ version: NAMES_VERSION }),
      'misspelt/prompt.md': '---\ntrials: 3\n---\nWrite the notes.\n',
      'misspelt/graders/version.md': NAMES_VERSION,
    })
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(theirs.result?.cases.map(({ name }) => name)).toEqual(['notes'])

    const ours = await ourEval(plugin, model)
    expect(ours.code).toBe(2)
    expect(ours.stderr).toContain('evals/misspelt/prompt.md:2:1 error unknown-key')
    expect(ours.all).toEqual([])
  })
})

describe('a file that was there and is edited', () => {
  it('is found by its state', async () => {
    const model = await modelOf(({ results }) =>
      results === 0 ? [{ tool: 'Bash', input: { command: 'echo "2.0: faster" >> NOTES.md' } }] : [{ text: 'Done' }],
    )
    const execution = { prompt: 'Add release 2.0 to NOTES.md.', runs: 1, allowed_tools: ['Bash'] }
    const written = {
      schema_version: '1.0',
      name: 'edits',
      execution,
      context: { scaffold_script: 'scaffold.sh' },
      graders: [{ name: 'notes', type: 'file_exists', path: 'NOTES.md' }],
    }
    const files = {
      'edits/case.yaml': JSON.stringify(written),
      'edits/scaffold.sh': 'echo "1.0: first" > NOTES.md\n',
    }
    const theirs = await clientEval(pluginWith(files), model, [
      '--ablation',
      'none',
      '--scaffold',
      '--allow-tools',
      'Bash',
    ])
    expect(theirs.result?.cases[0]?.aggregates.score, theirs.stderr).toBe(0)

    // The grader means created files only; our own checks know the other states.
    const test = {
      id: 'edits',
      criteria: 'Adds the release',
      input: execution.prompt,
      assert: [
        { type: 'file', path: 'NOTES.md', state: 'modified', contains: '2.0: faster' },
        { type: 'file', path: 'NOTES.md', state: 'any' },
      ],
    }
    const target = { name: 'default', provider: 'claude_cli', workspace: 'empty', config_dir: 'isolated' }
    const settings = { setup: 'echo "1.0: first" > NOTES.md', agent: { allowed_tools: ['Bash'] } }
    const more = {
      'EVAL.yaml': JSON.stringify({ name: 'edits', execution: settings, tests: [test] }),
      '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
    }
    const plugin = pluginWith({}, more)
    const ours = await ourEval(plugin, model, ['EVAL.yaml'])
    expect(ours.all, ours.stderr).toMatchObject([
      { verdict: 'pass', changes: [{ path: 'NOTES.md', state: 'modified' }] },
    ])
  })
})

describe('a call to a server of the plugin that is not mocked', () => {
  it('is an error of the attempt', async () => {
    const model = await modelOf(({ hasPlugin, results }) =>
      hasPlugin && results === 0
        ? [{ tool: 'mcp__plugin_notes_tracker__close_issue', input: { id: 1 } }]
        : [{ text: 'Closed issue 1 of 2.0' }],
    )
    const servers = {
      tracker: { command: 'node', args: ['server.mjs'] },
      calendar: { command: 'node', args: ['other.mjs'] },
    }
    const plugin = pluginWith(
      { ...oneCase({ version: NAMES_VERSION }), 'mocks/calendar/today.md': '2026-11-17\n' },
      { '.claude-plugin/plugin.json': JSON.stringify({ name: 'notes', version: '1.0.0', mcpServers: servers }) },
    )
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(theirs.result?.cases[0]?.aggregates.score, theirs.stderr).toBe(1)

    const ours = await ourEval(plugin, model, ['--target', 'with-plugin'])
    expect(ours.all, ours.stderr).toMatchObject([
      { verdict: 'error', error: { code: 'unmocked-call', message: expect.stringContaining('tracker.close_issue') } },
    ])
  })
})

describe('a judge', () => {
  it('sees the task, gives reasons, and is recorded', async () => {
    const prompts: Record<string, string> = {}
    const model = await modelOf(writesNotes, ({ prompt, by }) => {
      prompts[by] = prompt
      return true
    })
    const plugin = pluginWith(oneCase({ faster: FASTER }))
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(prompts['client']).not.toContain('Write the notes of release 2.0')
    expect(theirs.result?.cases[0]?.arms.with[0]?.graders[0]?.explanation).toBe('judge votes: PASS PASS PASS')

    const ours = await ourEval(plugin, model, ['--target', 'with-plugin'])
    expect(prompts['assay']).toContain('Write the notes of release 2.0')
    expect(ours.all[0]?.evaluator_results[0], ours.stderr).toMatchObject({
      items: [{ reasoning: 'the answer contains it' }],
    })
    expect(runInfoOf(plugin).judges).toMatchObject([{ name: 'judge', provider: 'claude_cli' }])
  })
})

describe('grading again', () => {
  it('works from the records', async () => {
    const model = await modelOf(writesNotes)
    const plugin = pluginWith(oneCase({ version: NAMES_VERSION }))
    const theirs = await clientEval(plugin, model, ['--ablation', 'none'])
    expect(existsSync(theirs.result?.cases[0]?.arms.with[0]?.tracePath ?? '')).toBe(false)

    const ours = await ourEval(plugin, model, ['--target', 'with-plugin'])
    expect(ours.code, ours.stderr).toBe(0)
    const asked = model.requests.length
    const graded = await assay(['grade', 'latest'], { cwd: plugin })
    expect(graded.code, graded.stderr).toBe(0)
    expect(model.requests).toHaveLength(asked)
  })
})
