import { describe, expect, it } from 'vitest'
import type { Answer, ToolCall } from '../../src/model/answer.ts'
import { gradeChecks } from '../support/checks.ts'

const skill = (name: string): ToolCall => ({ tool: 'Skill', input: { skill: name } })
const read = (path: string): ToolCall => ({ tool: 'Read', input: { file_path: path } })

function answerWith(call: ToolCall): Answer {
  return { text: 'ok', output_messages: [{ role: 'assistant', tool_calls: [call] }] }
}

const CALLS_OF_CSV = [
  skill('csv-analyzer'),
  skill('my-plugin:csv-analyzer'),
  skill('/csv-analyzer'),
  skill(' csv-analyzer\n'),
  read('/x/skills/other/../csv-analyzer/./SKILL.md'),
  read('/x/skills/csv-analyzer/SKILL.md'),
  read('csv-analyzer/SKILL.md'),
  read('/x/skills/csv-analyzer'),
  read('C:\\Users\\u\\skills\\csv-analyzer\\SKILL.md'),
  read('/x/my-plugin:csv-analyzer/SKILL.md'),
]

/** Calls with a longer name that contains the name of the skill. */
const CALLS_OF_OTHERS = [
  skill('csv-analyzer-pro'),
  skill('my-csv-analyzer'),
  skill('data:csv-analyzer-pro'),
  skill('csv-analyzer:other'),
  skill('csv-analyzer other'),
  skill('csv-analyzer/other'),
  read('/x/skills/csv-analyzer/../other/SKILL.md'),
  skill('CSV-analyzer'),
  read('/home/u/csv-analyzer-notes/x.md'),
  read('/home/u/old-csv-analyzer/SKILL.md'),
  read('/home/u/csv-analyzer.md'),
  read('C:\\csv-analyzer2\\SKILL.md'),
  read('/x/skills/Csv-Analyzer/SKILL.md'),
]

describe('the name of a skill', () => {
  const scores = async (fields: string, calls: readonly ToolCall[]) => {
    const check = `{type: trigger_judge, skill: csv-analyzer${fields}}`
    const graded = calls.map(async call => (await gradeChecks([check], answerWith(call)))[0]?.score)
    return Promise.all(graded)
  }
  const all = (score: number, calls: readonly ToolCall[]) => calls.map(() => score)

  it.each(['', ', scan: all', ', match: name'])('is a whole name or path segment%s', async fields => {
    expect(await scores(fields, CALLS_OF_CSV)).toEqual(all(1, CALLS_OF_CSV))
    expect(await scores(fields, CALLS_OF_OTHERS)).toEqual(all(0, CALLS_OF_OTHERS))
    expect(await scores(`${fields}, should_trigger: false`, CALLS_OF_OTHERS)).toEqual(all(1, CALLS_OF_OTHERS))
  })

  it.each(['', ', scan: all'])('is any part, case-sensitive, with `match: substring`%s', async fields => {
    const lower = CALLS_OF_OTHERS.filter(call => JSON.stringify(call).includes('csv-analyzer'))
    const other = CALLS_OF_OTHERS.filter(call => !lower.includes(call))
    expect(other).toHaveLength(2)
    expect(await scores(`, match: substring${fields}`, CALLS_OF_CSV)).toEqual(all(1, CALLS_OF_CSV))
    expect(await scores(`, match: substring${fields}`, lower)).toEqual(all(1, lower))
    expect(await scores(`, match: substring${fields}`, other)).toEqual(all(0, other))
  })

  it.each([
    ['tools/csv', '/x/tools/csv/SKILL.md', 1],
    ['tools/csv', '/x/my-tools/csv/SKILL.md', 0],
    ['tools\\csv', '/x/tools/csv/SKILL.md', 1],
    ['données é', '/x/données é/SKILL.md', 1],
    ['a.c', '/x/abc/SKILL.md', 0],
    ['$&', '/x/$&/SKILL.md', 1],
  ])('%s in %s: %d', async (name, path, score) => {
    const check = `{type: trigger_judge, skill: ${JSON.stringify(name)}}`
    const [result] = await gradeChecks([check], answerWith(read(path)))
    expect(result?.score).toBe(score)
  })
})
