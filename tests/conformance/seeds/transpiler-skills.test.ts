import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../../src/model/answer.ts'
import type { EvalsFile } from '../../../src/spec/evals-json.ts'
import { gradeChecks } from '../../support/checks.ts'
import { itWithPlainPython, readPython } from '../../support/external/python.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { transpileSuite } from '../../support/transpile-suite.ts'
import { TEST } from './seed-suites.ts'

/** The statements of "EVAL.yaml to evals.json transpiler": triggers, skills, how triggers are found, acceptance signals. */
const trigger = (skill: string, should_trigger?: boolean) => ({
  type: 'trigger-judge',
  skill,
  ...(should_trigger === undefined ? {} : { should_trigger }),
})
const asking = (id: string, ...assert: object[]) => ({ ...TEST, id, input: `Query ${id}`, assert })

/** The contents of all files, by their names. */
async function filesOf(suite: object): Promise<Record<string, EvalsFile>> {
  const { files } = await transpileSuite({ name: 'suite', ...suite })
  return Object.fromEntries(files.map(({ file, content }) => [file, JSON.parse(content)]))
}

const namesOf = (file: EvalsFile | undefined) => file?.evals.map(({ source_id }) => source_id)

describe('trigger-judge special handling', () => {
  it('true becomes should_trigger true', async () => {
    const { 'evals.json': file } = await filesOf({ tests: [asking('a', trigger('s', true))] })
    expect(file?.evals).toMatchObject([{ should_trigger: true }])
  })

  it('false becomes should_trigger false', async () => {
    const { 'evals.json': file } = await filesOf({ tests: [asking('a', trigger('s', false))] })
    expect(file?.evals).toMatchObject([{ should_trigger: false }])
  })

  it('a test without a trigger check has no should_trigger', async () => {
    const tests = [asking('a', trigger('s')), asking('b', ...TEST.assert)]
    const { 'evals.json': file } = await filesOf({ tests })
    expect(file?.evals[1]).not.toHaveProperty('should_trigger')
  })

  it('a trigger check is not an assertion', async () => {
    const { 'evals.json': file } = await filesOf({ tests: [asking('a', trigger('s'), ...TEST.assert)] })
    expect(file?.evals[0]?.assertions).toEqual(['Says ok', "Output contains 'ok'"])
  })

  it('both spellings of the type are the same', async () => {
    const one = await filesOf({ tests: [asking('a', trigger('s'))] })
    const other = await filesOf({ tests: [asking('a', { ...trigger('s'), type: 'trigger_judge' })] })
    expect(other).toEqual(one)
  })
})

describe('skill name extraction', () => {
  it('tests of one skill make one evals.json with its name', async () => {
    const files = await filesOf({ tests: [asking('a', trigger('s')), asking('b', trigger('s', false))] })
    expect(Object.keys(files)).toEqual(['evals.json', 'trigger-evals.json'])
    expect(files['evals.json']).toMatchObject({ skill_name: 's', evals: { length: 2 } })
  })

  const TWO = [asking('a', trigger('s')), asking('b', trigger('t')), asking('c', trigger('t', false))]

  it('tests of different skills make one evals.json for each, with its own tests', async () => {
    const files = await filesOf({ tests: TWO })
    expect([namesOf(files['s.evals.json']), namesOf(files['t.evals.json'])]).toEqual([['a'], ['b', 'c']])
  })

  it('a test without a trigger check goes to the skill with most tests', async () => {
    const files = await filesOf({ tests: [...TWO, asking('d', ...TEST.assert)] })
    expect([namesOf(files['s.evals.json']), namesOf(files['t.evals.json'])]).toEqual([['a'], ['b', 'c', 'd']])
  })

  it('tests without a skill make a _no-skill.json', async () => {
    const files = await filesOf({ tests: [asking('a', ...TEST.assert)] })
    expect(Object.keys(files)).toEqual(['_no-skill.json'])
    expect(files['_no-skill.json']).not.toHaveProperty('skill_name')
  })
})

describe('multi-skill evaluation', () => {
  const BOTH = [asking('a', trigger('s', true), trigger('t', false)), asking('b', trigger('t'))]

  it('groups the evals of each skill by its name', async () => {
    const files = await filesOf({ tests: BOTH })
    expect([files['s.evals.json']?.skill_name, files['t.evals.json']?.skill_name]).toEqual(['s', 't'])
  })

  it('a test with triggers for two skills is in both files, each with its own value', async () => {
    const files = await filesOf({ tests: BOTH })
    expect(files['s.evals.json']?.evals).toMatchObject([{ source_id: 'a', should_trigger: true }])
    expect(files['t.evals.json']?.evals).toMatchObject([
      { source_id: 'a', should_trigger: false },
      { source_id: 'b', should_trigger: true },
    ])
  })

  it('each skill can be evaluated alone: it has its own trigger set', async () => {
    const files = await filesOf({ tests: BOTH })
    expect(files['s.trigger-evals.json']).toMatchObject([{ query: 'Query a', should_trigger: true }])
    expect(files['t.trigger-evals.json']).toMatchObject([
      { query: 'Query a', should_trigger: false },
      { query: 'Query b', should_trigger: true },
    ])
  })
})

describe('details of run_eval.py', () => {
  const grade = async (calls: ToolCall[], check = 'type: trigger-judge, skill: csv-analyzer') => {
    const output_messages = [{ role: 'assistant', content: 'Done', tool_calls: calls }]
    const [result] = await gradeChecks([`{${check}}`], { text: 'Done', output_messages })
    return result?.score
  }
  const READ = { tool: 'Read', input: { file_path: '/home/u/.claude/skills/csv-analyzer/SKILL.md' } }
  const SKILL = { tool: 'Skill', input: { skill: 'csv-analyzer' } }

  it('the skill_name is the base name of the skill, without a generated part', async () => {
    const { 'evals.json': file } = await filesOf({ tests: [asking('a', trigger('csv-analyzer'))] })
    expect(file?.skill_name).toBe('csv-analyzer')
  })

  it('a call of Skill with the name triggers', async () => {
    expect(await grade([SKILL])).toBe(1)
  })

  it('a call of Read with a path of the skill triggers', async () => {
    expect(await grade([READ])).toBe(1)
  })

  // The default compares whole names: a substring would match csv-analyzer-pro as csv-analyzer.
  it('a part of the name triggers with `match: substring`', async () => {
    const longer = { tool: 'Skill', input: { skill: 'csv-analyzer-skill-1a2b' } }
    expect(await grade([longer], 'type: trigger-judge, skill: csv-analyzer, match: substring')).toBe(1)
    expect(await grade([longer])).toBe(0)
  })

  it('only the first call counts: another tool before it means not triggered', async () => {
    expect(await grade([{ tool: 'Bash', input: { command: 'ls' } }, SKILL])).toBe(0)
  })

  it.each(['Bash', 'Grep', 'skill', 'read'])('the tool %s never triggers', async tool => {
    expect(await grade([{ tool, input: { skill: 'csv-analyzer', file_path: 'csv-analyzer' } }])).toBe(0)
  })

  it('the name is compared with upper and lower case', async () => {
    expect(await grade([{ tool: 'Skill', input: { skill: 'CSV-Analyzer' } }])).toBe(0)
  })

  it('other fields of the call do not count', async () => {
    expect(await grade([{ tool: 'Skill', input: { file_path: 'csv-analyzer', name: 'csv-analyzer' } }])).toBe(0)
  })

  it('an answer without calls is not triggered', async () => {
    expect(await grade([])).toBe(0)
    expect(await grade([], 'type: trigger-judge, skill: csv-analyzer, should_trigger: false')).toBe(1)
  })

  it('runs_per_query and trigger_threshold are passed through from the metadata', async () => {
    const metadata = { runs_per_query: 5, trigger_threshold: 0.8 }
    const { 'evals.json': file } = await filesOf({ metadata, tests: [asking('a', trigger('s'))] })
    expect(file).toMatchObject(metadata)
  })

  it('runs_per_query and trigger_threshold are not in the file otherwise', async () => {
    const { 'evals.json': file } = await filesOf({ tests: [asking('a', trigger('s'))] })
    expect(Object.keys(file ?? {})).toEqual(['skill_name', 'evals'])
  })
})

describe('acceptance signals', () => {
  const MIXED = {
    name: 'mixed',
    assert: [{ type: 'latency', threshold: 5000 }],
    tests: [
      asking('a', trigger('s'), ...TEST.assert),
      asking('b', trigger('s', false)),
      asking('c', { type: 'regex', value: 'x' }),
    ],
  }

  it('a suite with triggers and other checks becomes valid evals.json by the command', async () => {
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(MIXED) })
    expect((await assay(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd })).code).toBe(0)
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['evals.json', 'trigger-evals.json'])
    expect((await assay(['validate', 'out/evals.json'], { cwd })).code).toBe(0)
  })

  it('should_trigger is right on all tests that have a trigger check, and absent on the others', async () => {
    const { 'evals.json': file } = await filesOf(MIXED)
    expect(file?.evals.map(({ should_trigger }) => should_trigger)).toEqual([true, false, undefined])
  })

  it('checks of the suite are in every eval', async () => {
    const { 'evals.json': file } = await filesOf(MIXED)
    for (const { assertions } of file?.evals ?? []) expect(assertions?.at(-1)).toBe('Response time under 5000ms')
  })

  itWithPlainPython(
    'the trigger set has the query and should_trigger that run_eval.py reads from each item',
    async () => {
      const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(MIXED) })
      await assay(['transpile', 'EVAL.yaml'], { cwd })
      const program = `import json
items = json.loads(open('trigger-evals.json').read())
print(json.dumps([[item['query'], item['should_trigger'] is True] for item in items]))`
      expect(await readPython(program, '', cwd)).toEqual([
        ['Query a', true],
        ['Query b', false],
      ])
    },
  )
})

describe('non-goals', () => {
  it('transpiling runs nothing: neither targets nor judges are needed', async () => {
    const judge = { type: 'code-judge', command: ['sh', '-c', 'touch ran'] }
    const cwd = folderWith({
      'EVAL.yaml': JSON.stringify({ name: 'x', tests: [asking('a', trigger('s'), judge)] }),
    })
    expect((await assay(['transpile', 'EVAL.yaml'], { cwd })).code).toBe(0)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
    expect(readFileSync(join(cwd, 'evals.json'), 'utf8')).toContain('"skill_name"')
  })
})
