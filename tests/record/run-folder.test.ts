import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { AnswerRecord } from '../../src/model/answer.ts'
import type { Result } from '../../src/model/result.ts'
import { RunFolder } from '../../src/record/run-folder.ts'

let path: string
let folder: RunFolder

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'run-folder-'))
  folder = await RunFolder.open(path, 'run', JSON.stringify, nodeHost(path))
})

afterEach(async () => {
  await folder.close()
  rmSync(path, { recursive: true })
})

const answer = (attempt_id: string) => ({ attempt_id, answer: { text: 'ü' } }) as unknown as AnswerRecord
const result = (attempt_id: string) =>
  ({ attempt_id, index: 0, answer: 'ü', tags: [], metadata: {}, evaluator_results: [] }) as unknown as Result

/** The attempts of the lines in a file. */
function linesIn(name: string): string[] {
  const lines = readFileSync(join(path, name), 'utf8').split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line).attempt_id)
}

describe('answers', () => {
  it('are written at once if they are not free, behind those that are', () => {
    folder.addAnswer(answer('a'), true)
    expect(linesIn('answers.jsonl')).toEqual([])
    folder.addAnswer(answer('b'))
    expect(linesIn('answers.jsonl')).toEqual(['a', 'b'])
  })

  it('are all written before the next results', () => {
    folder.addAnswer(answer('a'), true)
    folder.addAnswer(answer('b'), true)
    folder.addResults([result('a')])
    expect(linesIn('answers.jsonl')).toEqual(['a', 'b'])
  })

  it('are all written when the folder is closed', async () => {
    folder.addAnswer(answer('a'), true)
    await folder.close()
    expect(linesIn('answers.jsonl')).toEqual(['a'])
  })
})

describe('results', () => {
  it('that are written together are read one by one', () => {
    const lines = folder.addResults(['a', 'b', 'c'].map(result))
    expect(linesIn('results.jsonl')).toEqual(['a', 'b', 'c'])
    expect(lines.map(line => JSON.parse(line).attempt_id)).toEqual(['a', 'b', 'c'])
    expect(['c', 'a', 'b'].map(id => folder.result(id))).toEqual(['c', 'a', 'b'].map(result))
  })

  it.each([
    ['ASCII', ['a', 'b']],
    ['other characters', ['ü', 'a', '😀', 'b']],
  ])('are found after results in %s', (_, texts) => {
    const results = texts.map(text => ({ ...result(text), answer: text }))
    folder.addResults(results)
    folder.addResults([result('last')])
    for (const each of results) expect(folder.result(each.attempt_id)).toEqual(each)
    expect(folder.result('last')).toEqual(result('last'))
  })

  it('are not written if one of them cannot be written as JSON', () => {
    const circular = { ...result('b'), state: {} as Record<string, unknown> }
    circular.state['itself'] = circular
    expect(() => folder.addResults([result('a'), circular as unknown as Result])).toThrow(TypeError)
    expect(linesIn('results.jsonl')).toEqual([])
    expect(folder.result('a')).toBeUndefined()
  })
})
