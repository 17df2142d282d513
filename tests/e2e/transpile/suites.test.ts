import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CSV_EVALS, CSV_SUITE } from '../../support/csv-suite.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'

const SEVERAL = {
  name: 'several',
  metadata: { runs_per_query: 5, trigger_threshold: 0.5 },
  assert: [{ type: 'latency', threshold: 500 }],
  tests: [
    {
      id: 'blocks',
      criteria: 'Reads both',
      input: [
        { role: 'user', content: [{ type: 'file', value: 'a.txt' }] },
        { role: 'assistant', content: 'Go on' },
        {
          role: 'user',
          content: [
            { type: 'text', value: 'One.' },
            { type: 'file', value: './b.txt' },
            { type: 'text', value: 'Two.' },
          ],
        },
      ],
      assert: [{ type: 'trigger_judge', skill: 'docs/reader' }],
    },
    {
      id: 'both',
      criteria: 'Uses the reader, not the writer',
      input: 'Read it',
      assert: [
        { type: 'trigger_judge', skill: 'docs/reader' },
        { type: 'trigger_judge', skill: 'writer', should_trigger: false },
      ],
    },
    { id: 'no-skill', criteria: 'Is polite', input: 'Hello', rubrics: ['Is short'] },
  ],
}

const read = (cwd: string, file: string) => JSON.parse(readFileSync(join(cwd, file), 'utf8'))

describe('transpile of a suite about one skill', () => {
  let cwd: string
  let ended: Result
  beforeAll(async () => {
    cwd = folderWith({ 'EVAL.yaml': CSV_SUITE, 'evals/files/sales.csv': 'month,revenue\n' })
    ended = await assay(['transpile', 'EVAL.yaml'], { cwd })
  })

  it('writes evals.json with trigger labels and quality assertions, criteria first', () => {
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stdout).toBe('wrote evals.json\nwrote trigger-evals.json\n')
    expect(read(cwd, 'evals.json')).toEqual(CSV_EVALS)
  })

  it('writes a trigger set', () => {
    expect(read(cwd, 'trigger-evals.json')).toEqual([
      {
        query: 'I have a CSV of monthly sales data. Find the top 3 months by revenue.',
        should_trigger: true,
        id: 1,
        source_id: 'csv-top-months',
      },
      { query: 'What time is it?', should_trigger: false, id: 2, source_id: 'irrelevant-query' },
    ])
  })

  it('names assertions `expectations` for skill-creator, or uses both names', async () => {
    for (const [dialect, keys] of [
      ['skill-creator', ['expectations']],
      ['both', ['assertions', 'expectations']],
    ] as const) {
      const { stdout } = await assay(['transpile', 'EVAL.yaml', '--stdout', '--dialect', dialect], { cwd })
      const [evals] = JSON.parse(stdout).map(({ content }: { content: string }) => JSON.parse(content))
      const [item] = evals.evals
      expect(Object.keys(item).filter(key => /assert|expectations/.test(key))).toEqual(keys)
      expect(item.expectations).toHaveLength(3)
    }
  })

  it('--check reports outdated files and writes nothing', async () => {
    expect((await assay(['transpile', 'EVAL.yaml', '--check'], { cwd })).code).toBe(0)
    const other = folderWith({ 'EVAL.yaml': CSV_SUITE, 'evals/files/sales.csv': '', 'evals.json': '{}' })
    const { code, stdout } = await assay(['transpile', 'EVAL.yaml', '--check'], { cwd: other })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'evals.json is out of date\ntrigger-evals.json is out of date\n',
    })
    expect(readFileSync(join(other, 'evals.json'), 'utf8')).toBe('{}')
  })
})

describe('transpile of a suite about several skills', () => {
  let cwd: string
  beforeAll(async () => {
    cwd = folderWith({ 'EVAL.yaml': JSON.stringify(SEVERAL), 'a.txt': 'a', 'b.txt': 'b' })
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--out-dir', 'made/here'], { cwd })
    expect(code, stderr).toBe(0)
  })

  it('writes one evals.json and one trigger set per skill, under safe file names', () => {
    expect(readdirSync(join(cwd, 'made/here')).sort()).toEqual([
      'docs-reader.evals.json',
      'docs-reader.trigger-evals.json',
      'writer.evals.json',
      'writer.trigger-evals.json',
    ])
    expect(read(cwd, 'made/here/writer.evals.json')).toMatchObject({ skill_name: 'writer', evals: [{ id: 1 }] })
  })

  it('adds a test about two skills to both, each with its own label', () => {
    const of = (skill: string) =>
      read(cwd, `made/here/${skill}.evals.json`).evals.find(
        ({ source_id }: { source_id: string }) => source_id === 'both',
      )
    expect([of('docs-reader').should_trigger, of('writer').should_trigger]).toEqual([true, false])
  })

  it('assigns a test without a trigger judge to the skill with most tests, without should_trigger', () => {
    const item = read(cwd, 'made/here/docs-reader.evals.json').evals[2]
    expect(item).toMatchObject({ source_id: 'no-skill', prompt: 'Hello' })
    expect(item).not.toHaveProperty('should_trigger')
    const queries = read(cwd, 'made/here/docs-reader.trigger-evals.json')
    expect(queries.map(({ source_id }: { source_id: string }) => source_id)).toEqual(['blocks', 'both'])
  })

  it('takes files from all messages and the prompt from the text of the last', () => {
    const [item] = read(cwd, 'made/here/docs-reader.evals.json').evals
    expect(item).toMatchObject({ prompt: 'One.\n\nTwo.', files: ['../../a.txt', '../../b.txt'] })
  })

  it('appends the checks of the suite to those of every test', () => {
    const { evals, runs_per_query, trigger_threshold } = read(cwd, 'made/here/docs-reader.evals.json')
    expect(evals.map(({ assertions }: { assertions: string[] }) => assertions)).toEqual([
      ['Reads both', 'Response time under 500ms'],
      ['Uses the reader, not the writer', 'Response time under 500ms'],
      ['Is polite', 'Is short', 'Response time under 500ms'],
    ])
    expect({ runs_per_query, trigger_threshold }).toEqual({ runs_per_query: 5, trigger_threshold: 0.5 })
  })
})

describe('names and ids of transpiled evals', () => {
  const suite = (tests: object[], more: object = {}) => JSON.stringify({ name: 'ids', ...more, tests })
  const transpile = async (text: string) => {
    const { stdout, stderr } = await assay(['transpile', 'EVAL.yaml', '--stdout'], {
      cwd: folderWith({ 'EVAL.yaml': text }),
    })
    if (stdout === '') expect.unreachable(stderr)
    return JSON.parse(stdout).map(({ file, content }: { file: string; content: string }) => ({
      file,
      ...JSON.parse(content),
    }))
  }
  const test = (id: number | string) => ({ id, criteria: 'Is good', input: 'Hi' })

  it('keeps numeric ids, and otherwise numbers the evals of each file', async () => {
    const [kept] = await transpile(suite([test(7), test(3)]))
    expect(kept.evals.map(({ id, source_id }: { id: number; source_id?: string }) => [id, source_id])).toEqual([
      [7, undefined],
      [3, undefined],
    ])
    const [counted] = await transpile(suite([test(7), test('3')]))
    expect(counted.evals.map(({ id, source_id }: { id: number; source_id?: string }) => [id, source_id])).toEqual([
      [1, '7'],
      [2, '3'],
    ])
  })

  it('takes the skill from the metadata without a trigger judge, and may have no skill', async () => {
    expect(await transpile(suite([test(1)], { metadata: { skill: 'csv' } }))).toMatchObject([
      { file: 'evals.json', skill_name: 'csv' },
    ])
    const [none, ...others] = await transpile(suite([test(1)]))
    expect(others).toEqual([])
    expect(none.file).toBe('_no-skill.json')
    expect(none).not.toHaveProperty('skill_name')
  })
})

describe('transpile writes no file', () => {
  const SUITE_FILES = { 'EVAL.yaml': CSV_SUITE, 'evals/files/sales.csv': '' }

  it('over a file that it did not write, unless --force is given', async () => {
    const cwd = folderWith({ ...SUITE_FILES, 'trigger-evals.json': '[{"query": "mine"}]' })
    const refused = await assay(['transpile', 'EVAL.yaml'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'trigger-evals.json was not written by assay. Nothing was written; use --force to overwrite it.',
    )
    expect(existsSync(join(cwd, 'evals.json'))).toBe(false)
    expect((await assay(['transpile', 'EVAL.yaml', '--force'], { cwd })).code).toBe(0)
    expect(read(cwd, 'trigger-evals.json')).toHaveLength(2)
    writeFileSync(join(cwd, 'EVAL.yaml'), CSV_SUITE.replace('What time is it?', 'What day is it?'))
    // A file that assay wrote is overwritten.
    expect((await assay(['transpile', 'EVAL.yaml'], { cwd })).code).toBe(0)
    expect(read(cwd, 'trigger-evals.json')[1].query).toBe('What day is it?')
  })

  it('if the output folder is a file', async () => {
    const cwd = folderWith({ ...SUITE_FILES, out: 'a file' })
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd })
    expect({ code, said: stderr.includes('out is a file, not a folder.') }).toEqual({ code: 2, said: true })
    expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe('a file')
  })
  it('if evals.json would lose information, with --strict', async () => {
    const lossy = CSV_SUITE.replace('value: "$22,500"', 'value: "$22,500"\n        weight: 2')
    const cwd = folderWith({ ...SUITE_FILES, 'EVAL.yaml': `name: csv\n${lossy}` })
    const loose = await assay(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd })
    expect(loose.code).toBe(0)
    expect(loose.stderr).toContain(
      'EVAL.yaml:3:5 warning unsaid\n  evals.json cannot express these parts of `csv-top-months`: weights',
    )
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--strict', '--out-dir', 'other'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:3:5 error unsaid')
    expect(existsSync(join(cwd, 'other'))).toBe(false)
  })

  it('if the suite is invalid or missing, or if both directions are requested', async () => {
    const cwd = folderWith({ ...SUITE_FILES, 'broken.eval.yaml': 'nmae: x\n' })
    expect((await assay(['transpile', 'broken.eval.yaml'], { cwd })).code).toBe(2)
    expect((await assay(['transpile', 'nothing.yaml'], { cwd })).stderr).toContain('file-missing')
    const both = await assay(['transpile', 'EVAL.yaml', '--from', 'evals.json'], { cwd })
    expect({ code: both.code, said: both.stderr.includes('name one suite: as the argument, or with --from') }).toEqual({
      code: 2,
      said: true,
    })
    expect(readdirSync(cwd).sort()).toEqual(['EVAL.yaml', 'broken.eval.yaml', 'evals'])
  })
})
