import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const VARIANTS = [
  { name: 'plain', input: '{{input}}' },
  { name: 'loud', input: '{{input}} LOUD' },
  { name: 'long', input: '{{input}} LONG' },
]

const TEST = { id: 'city', criteria: 'Names it', input: 'Where?', expected_output: 'Paris' }

function folderOf(test: object, files: Record<string, string> = {}): string {
  const suite = { name: 'suite', variants: VARIANTS, tests: [{ ...TEST, ...test }] }
  return folderWith({ 'EVAL.yaml': JSON.stringify(suite), ...files })
}

/** Accepts every answer to a question that contains a word, else only `Paris`. */
const judge = (word: string) => `let text = ''
process.stdin.on('data', part => { text += part })
process.stdin.on('end', () => {
  const { question, answer } = JSON.parse(text)
  console.log(JSON.stringify({ score: question.includes('${word}') || answer === 'Paris' ? 1 : 0 }))
})`

const byProgram = (word: string) =>
  folderOf({ assert: [{ type: 'code_judge', script: ['node', './judge.mjs'] }] }, { 'judge.mjs': judge(word) })

describe('assay check of a suite with variants', () => {
  it('tries each variant, and names those with a finding', async () => {
    const { stdout } = await assay(['check', '--programs'], { cwd: byProgram('LOUD') })
    expect(stdout).toContain('accepts-non-answer')
    expect(stdout).toContain('in the variant `loud`, the test `city` passes with an empty answer')
    expect(stdout).toContain('1 warning')
    const both = await assay(['check', '--programs'], { cwd: byProgram('LO') })
    expect(both.stdout).toContain('in the variants `loud`, `long`, the test `city` passes')
  })

  it('names no variant if all have the finding', async () => {
    const { stdout } = await assay(['check'], { cwd: folderOf({ assert: [{ type: 'contains', value: 'Rome' }] }) })
    expect(stdout.match(/the test `city` rejects its `expected_output`/g)).toHaveLength(1)
    expect(stdout).not.toContain('variant')
  })

  it('applies checks that are limited to a target, or to a variant on it, as a run does', async () => {
    const only = (value: string, ...names: string[]) => ({ type: 'contains', value, applies_to: names })
    const fine = folderOf({ assert: [only('Paris', 'small'), only('a', 'small/loud')] })
    expect((await assay(['check'], { cwd: fine })).stdout).toContain('No findings')
    const broken = folderOf({ assert: [only('Paris', 'small'), only('Rome', 'small/loud')] })
    const { code, stdout } = await assay(['check'], { cwd: broken })
    expect(code).toBe(1)
    expect(stdout).toContain('in the variant `loud`, the test `city` rejects its `expected_output`')
  })

  it('asks judges about each variant', async () => {
    const asked = (input: string) => ({ pattern: `Where\\? ${input}[^]*Answer to be judged`, response: '{"score": 1}' })
    const paris = { pattern: 'Answer to be judged\\n<<<data-\\w+\\nParis\\n', response: '{"score": 1}' }
    const targets = [
      { name: 'default', provider: 'mock', response: 'unused' },
      {
        name: 'judge',
        provider: 'mock',
        responses: [asked('LOUD'), paris, { pattern: '', response: '{"score": 0}' }],
      },
    ]
    const files = { '.assay/targets.yaml': JSON.stringify({ targets }) }
    const cwd = folderOf({ assert: [{ type: 'llm_judge' }] }, files)
    const { stdout, stderr } = await assay(['check', '--judges'], { cwd })
    expect(stderr).toContain('Judges: 12 requests to judge about 1 test')
    expect(stdout).toContain('in the variant `loud`, the test `city` passes with an empty answer, by the judgement')
    expect(stdout).not.toMatch(/`plain`|`long`/)
  })
})
