import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { transpileSuite } from '../support/transpile-suite.ts'

type Grader = Record<string, unknown>

/** The graders that a check becomes, with their texts, and what is reported as lost. */
async function exported(check: object, test: object = {}): Promise<{ graders: Grader[]; lost: string[] }> {
  const mocks = { orders: { tools: { get: { returns: 'ok' } } } }
  const suite = {
    name: 'suite',
    execution: { threshold: 1 },
    tests: [{ id: 'one', criteria: 'Is good', input: 'Hi', mocks, ...test, assert: [check] }],
  }
  const { files, issues } = await transpileSuite(suite, {}, 'plugin-evals')
  const graders = files
    .filter(({ file }) => file.startsWith('one/graders/'))
    .map(({ content }) => {
      const [, frontmatter = '', body = ''] = /^---\n(.*?)---\n(.*)$/s.exec(content) ?? []
      return { ...(load(frontmatter) as Grader), ...(body.trim() === '' ? {} : { body: body.trim() }) }
    })
  return { graders, lost: issues.map(({ message }) => message) }
}

const regex = (body: string, more: object = {}) => ({ type: 'regex', ...more, body })
const used = (more: object) => ({ type: 'tool_used', ...more })

describe('a check becomes graders without a loss', () => {
  it.each<[what: string, check: object, graders: object[]]>([
    ['contains', { type: 'contains', value: '$22,500 (net)' }, [regex('\\$22,500 \\(net\\)')]],
    ['a negated contains', { type: 'contains', value: 'x', negate: true }, [regex('x', { match: 'not_contains' })]],
    ['icontains', { type: 'icontains', value: 'Alice' }, [regex('Alice', { flags: 'iu' })]],
    ['starts_with', { type: 'starts_with', value: ' Hello ' }, [regex('^\\s*Hello')]],
    ['ends_with', { type: 'ends_with', value: '?' }, [regex('\\?\\s*$')]],
    ['equals', { type: 'equals', value: 'yes' }, [regex('^\\s*yes\\s*$')]],
    ['contains_any', { type: 'contains_any', value: ['a|b', 'c'] }, [regex('a\\|b|c')]],
    ['contains_all', { type: 'contains_all', value: ['a', 'b'] }, [regex('^(?=[\\s\\S]*a)(?=[\\s\\S]*b)')]],
    [
      'regex with flags, a count and a file',
      { type: 'regex', value: 'a', flags: 'im', count: 3, subject: { file: 'out.txt' } },
      [regex('a', { flags: 'im', match: 'count:3', target: { source: 'file', path: 'out.txt' } })],
    ],
    ['a regex with blanks around it', { type: 'regex', value: ' a ' }, [{ type: 'regex', pattern: ' a ' }]],
    ['regex with count 0, negated', { type: 'regex', value: 'a', count: 0, negate: true }, [regex('a')]],
    [
      'rubrics with one sentence',
      { type: 'rubrics', criteria: 'Is kind', votes: 3 },
      [{ type: 'llm', body: 'Is kind' }],
    ],
    [
      'rubrics, each with its part of the weight',
      { type: 'rubrics', votes: 3, weight: 2, rubrics: ['One', { id: 'b', outcome: 'Two', weight: 3 }] },
      [
        { type: 'llm', weight: 0.5, body: 'One' },
        { type: 'llm', weight: 1.5, body: 'Two' },
      ],
    ],
    [
      'rubrics about a file',
      { type: 'rubrics', criteria: 'Is kind', subject: { file: 'a' }, votes: 3 },
      [{ type: 'llm', focus: { source: 'file', path: 'a' }, body: 'Is kind' }],
    ],
    [
      'a tool that must not be called',
      { type: 'tool_used', tool: 'rm', max: 0 },
      [used({ tool: 'rm', min: 0, max: 0 })],
    ],
    [
      'the tool Skill on both arms',
      { type: 'tool_used', tool: 'Skill', max: 0 },
      [used({ tool: 'Skill', min: 0, max: 0, arm: 'both' })],
    ],
    [
      'tool_order',
      { type: 'tool_order', before: 'Read', after: { tool: 'Bash', input_match: 'npm' } },
      [{ type: 'tool_order', before: 'Read', after: { tool: 'Bash', input_match: 'npm' } }],
    ],
    ['a created file', { type: 'file', path: 'a/*.md', state: 'created' }, [{ type: 'file_exists', path: 'a/*.md' }]],
    [
      'a file that must not be created',
      { type: 'file', path: 'a', state: 'created', negate: true },
      [{ type: 'file_exists', path: 'a', exists: false }],
    ],
    [
      'the content of a file',
      { type: 'file', path: 'a.txt', contains: 'x.y' },
      [regex('x\\.y', { target: { source: 'file', path: 'a.txt' } })],
    ],
    ['forbidden tools', { type: 'tool_trajectory', forbidden: ['rm'] }, [used({ tool: 'rm', min: 0, max: 0 })]],
    [
      'the description of a check about calls',
      { type: 'tool_used', tool: 'rm', max: 0, description: 'Keeps files' },
      [used({ tool: 'rm', min: 0, max: 0, body: 'Keeps files' })],
    ],
  ])('%s', async (_, check, graders) => {
    expect(await exported(check)).toEqual({ graders, lost: [] })
  })
})

describe('a loss is reported', () => {
  it.each<[what: string, check: object, lost: string]>([
    ['that only successful calls count', { type: 'tool_used', tool: 'Bash' }, 'that only successful calls count'],
    ['the first call', { type: 'trigger_judge', skill: 'csv', should_trigger: false }, '`scan: first`'],
    ['the part of a trigger in the score', { type: 'trigger_judge', skill: 'csv' }, 'its part in the score'],
    ['a required check', { type: 'contains', value: 'x', required: true }, 'that it is required'],
    ['a description beside a pattern', { type: 'contains', value: 'x', description: 'Why' }, 'its description'],
    ['targets', { type: 'contains', value: 'x', applies_to: ['a'] }, 'the targets that it applies to'],
    ['the text of a transcript', { type: 'contains', value: 'x', subject: 'transcript' }, 'the text of the transcript'],
    ['score ranges', { type: 'rubrics', rubrics: [{ outcome: 'A', score_ranges: { 0: 'Bad' } }] }, 'score ranges'],
    ['required rubrics', { type: 'rubrics', rubrics: [{ outcome: 'A', required: true }] }, 'that rubrics are required'],
    ['the judge', { type: 'rubrics', criteria: 'A', target: 'judge' }, 'the judge'],
    ['votes', { type: 'rubrics', criteria: 'A' }, 'that the judge votes 1 time (there, 3 times)'],
    ['a score of a model', { type: 'llm_judge', prompt: 'Is it kind?' }, 'a score between 0 and 1'],
    ['variables of a prompt', { type: 'llm_judge', prompt: 'Is "{{answer}}" kind?' }, 'variables in the prompt'],
    [
      'calls in order',
      { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'a' }, { tool: 'b' }] },
      'calls in order after the first ones',
    ],
  ])('of %s', async (_, check, lost) => {
    const { graders, lost: said } = await exported(check)
    expect(graders.length).toBeGreaterThan(0)
    expect(said).toEqual([expect.stringContaining(lost)])
    expect(said[0]).toMatch(/^plugin evals cannot express these parts of the check /)
  })
})

describe('a check that no grader can express is left out', () => {
  it.each<[what: string, check: object, why: string]>([
    ['is_json', { type: 'is_json' }, 'they have no grader for the type `is_json`'],
    ['cost', { type: 'cost', budget: 1 }, 'they have no grader for the type `cost`'],
    ['latency', { type: 'latency', threshold: 5 }, 'they have no grader for the type `latency`'],
    ['token_usage', { type: 'token_usage', max_total: 5 }, 'they have no grader for the type `token_usage`'],
    ['code_judge', { type: 'code_judge', command: 'true' }, 'they have no grader for the type `code_judge`'],
    ['agent_judge', { type: 'agent_judge' }, 'they have no grader for the type `agent_judge`'],
    [
      'composite',
      { type: 'composite', evaluators: [{ type: 'contains', value: 'a' }] },
      'they have no grader for the type `composite`',
    ],
    ['weight 0', { type: 'contains', value: 'x', weight: 0 }, 'the weight 0'],
    ['an exact trajectory', { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a' }] }, '`mode: exact`'],
    ['a subset', { type: 'tool_trajectory', mode: 'subset', expected: [{ tool: 'a' }] }, '`mode: subset`'],
    ['arguments', { type: 'tool_trajectory', expected: [{ tool: 'a', args: { b: 1 } }] }, 'arguments and durations'],
    ['a range of matches', { type: 'regex', value: 'a', count: { min: 2 } }, 'a `count` other than a number'],
    ['a negated count', { type: 'regex', value: 'a', count: 2, negate: true }, 'a negated `count`'],
    ['tool calls as text', { type: 'contains', value: 'x', subject: 'tool_calls' }, '`subject: tool_calls`'],
    ['the state of a mock', { type: 'equals', value: 'x', subject: { mock: 'orders' } }, '`subject: {mock: orders}`'],
    ['a wildcard', { type: 'tool_used', tool: 'mcp__*', max: 0 }, 'wildcards in the name of a tool'],
    ['outputs', { type: 'tool_used', tool: 'a', output_match: 'x' }, 'conditions other than `input_match`'],
    ['any order', { type: 'tool_order', before: 'a', after: 'b', which: 'any' }, '`which: any`'],
    ['existing files', { type: 'file', path: 'a' }, '`state: any`'],
    ['other globs', { type: 'file', path: '{a,b}', state: 'created' }, 'globs with other wildcards than `*`'],
    ['negated rubrics', { type: 'rubrics', rubrics: ['A', 'B'], negate: true }, 'that at least one of several rubrics'],
  ])('%s', async (_, check, why) => {
    const other = { type: 'contains', value: 'kept' }
    const suite = { name: 'suite', execution: { threshold: 1 }, mocks: { orders: { tools: { get: { returns: 1 } } } } }
    const tests = [{ id: 'one', criteria: 'Is good', input: 'Hi', assert: [check, other] }]
    const { files, issues } = await transpileSuite({ ...suite, tests }, {}, 'plugin-evals')
    expect(files.filter(({ file }) => file.includes('graders/'))).toHaveLength(1)
    const [issue] = issues
    expect(issue).toMatchObject({ code: 'unsaid', message: expect.stringContaining(`which is left out: ${why}`) })
  })
})
