import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { stateFiles, writeFiles } from '../../../src/operations/transpiled-files.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { transpileSuite } from '../../support/transpile-suite.ts'

const SUITE = JSON.stringify({
  name: 'hostile',
  tests: [
    { id: 1, criteria: 'Is good', input: 'a', assert: [{ type: 'trigger_judge', skill: 'csv' }] },
    {
      id: 2,
      criteria: 'Is good',
      input: 'b',
      assert: [{ type: 'trigger_judge', skill: 'csv', should_trigger: false }],
    },
  ],
})

/** A hand-written evals.json with custom keys. */
const BY_HAND = `${JSON.stringify({ skill_name: 'csv', owner: 'me', evals: [{ id: 1, name: 'mine', prompt: 'p', expected_output: 'e' }] })}\n`

describe('existing output files', () => {
  const host = nodeHost()
  const states = async (folder: string) => {
    return stateFiles(await transpileSuite(SUITE), folder, host)
  }

  it('count as unchanged only if every byte is equal', async () => {
    const folder = folderWith()
    const made = await states(folder)
    await writeFiles(made, folder, false, host)
    expect((await states(folder)).files.map(({ state }) => state)).toEqual(['same', 'same'])
    // Strict JSON parsers reject a byte order mark.
    for (const { file, content } of made.files) writeFileSync(join(folder, file), `\ufeff${content}`)
    expect((await states(folder)).files.map(({ state }) => state)).not.toContain('same')
  })

  it('count as foreign if they contain keys that assay never writes', async () => {
    const folder = folderWith({ 'evals.json': BY_HAND })
    expect((await states(folder)).files[0]?.state).toBe('other')
  })

  it('are all written or none: --force does not replace a folder', async () => {
    const folder = folderWith({ 'trigger-evals.json/mine.txt': 'mine' })
    await expect(states(folder).then(made => writeFiles(made, folder, true, host))).rejects.toThrow(
      'trigger-evals.json',
    )
    expect(readdirSync(folder)).toEqual(['trigger-evals.json'])
  })

  it('are all kept if one belongs to another skill', async () => {
    const folder = folderWith({ 'evals.json': '{"skill_name": "pdf", "evals": []}', 'trigger-evals.json': '[]' })
    await expect(states(folder).then(made => writeFiles(made, folder, false, host))).rejects.toThrow('evals.json')
    expect(readFileSync(join(folder, 'trigger-evals.json'), 'utf8')).toBe('[]')
  })
})

describe('assay transpile', () => {
  it('does not overwrite the trigger set of another skill', async () => {
    const set = JSON.stringify([{ query: 'q', should_trigger: true, id: 1, source_id: 'of another skill' }])
    const cwd = folderWith({ 'EVAL.yaml': SUITE, 'trigger-evals.json': set })
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml'], { cwd })
    expect({ code, said: stderr.includes('trigger-evals.json was not written by assay') }).toEqual({
      code: 2,
      said: true,
    })
    expect(readdirSync(cwd).sort()).toEqual(['EVAL.yaml', 'trigger-evals.json'])
  })

  it('does not overwrite the evals.json that it reads', async () => {
    const cwd = folderWith({ 'evals.json': BY_HAND })
    await assay(['transpile', 'evals.json'], { cwd })
    expect(readFileSync(join(cwd, 'evals.json'), 'utf8')).toBe(BY_HAND)
  })

  it('--check with --stdout fails if the files are missing', async () => {
    const cwd = folderWith({ 'EVAL.yaml': SUITE })
    const { code } = await assay(['transpile', 'EVAL.yaml', '--stdout', '--check'], { cwd })
    expect(code).not.toBe(0)
  })

  it('--check creates no folder', async () => {
    const cwd = folderWith({ 'EVAL.yaml': SUITE })
    const { code } = await assay(['transpile', 'EVAL.yaml', '--check', '--out-dir', 'new/below/'], { cwd })
    expect({ code, made: existsSync(join(cwd, 'new')) }).toEqual({ code: 1, made: false })
  })

  it('leaves complete files and nothing else when it runs twice at once', async () => {
    const cwd = folderWith({ 'EVAL.yaml': SUITE })
    const both = await Promise.all([0, 1].map(() => assay(['transpile', 'EVAL.yaml', '--out-dir', 'out/'], { cwd })))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const { files } = await transpileSuite(SUITE)
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(files.map(({ file }) => file).sort())
    for (const { file, content } of files) expect(readFileSync(join(cwd, 'out', file), 'utf8')).toBe(content)
  })

  it('asks for one suite if a folder has several', async () => {
    const cwd = folderWith({ 'a.eval.yaml': SUITE, 'b.eval.yaml': SUITE })
    mkdirSync(join(cwd, 'out'))
    const { code, stderr } = await assay(['transpile', '.', '--out-dir', 'out'], { cwd })
    expect({ code, said: stderr.includes('There are 2 suites in .: name one of them.') }, stderr).toEqual({
      code: 2,
      said: true,
    })
    expect(readdirSync(join(cwd, 'out'))).toEqual([])
  })
})

describe('assay transpile --from', () => {
  const cwd = folderWith({ 'EVAL.yaml': SUITE, 'evals.json': BY_HAND })

  it('reports a file that is not an evals.json', async () => {
    const { code, stdout, stderr } = await assay(['transpile', '--from', 'EVAL.yaml'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('EVAL.yaml')
  })

  it('rejects options of the other direction', async () => {
    const { code, stdout } = await assay(['transpile', '--from', 'evals.json', '--check', '--out-dir', 'out'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})
