import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'

async function load(folder: string, file = 'EVAL.yaml', cwd = folder) {
  return loadFiles([join(folder, file)], { host: nodeHost(cwd), evaluators })
}

const SUITE = `name: a
tests:
  - id: a
    criteria: Is kind
    input: Hi
`

describe('the model', () => {
  it('is deeply frozen', async () => {
    const folder = folderWith({
      'EVAL.yaml': `${SUITE}    metadata: {deep: {er: [1]}}
    expected_output: {a: {b: 1}}
    assert:
      - {type: composite, evaluators: [{type: contains_any, value: [x, y]}]}
`,
    })
    const [suite] = (await load(folder)).suites
    const thawed: string[] = []
    walk(suite, 'suite')
    expect(suite?.tests).toHaveLength(1)
    expect(thawed).toEqual([])

    function walk(value: unknown, path: string): void {
      // Evaluators are shared, and origins and maps are class instances.
      if (typeof value !== 'object' || value === null || path.endsWith('.evaluator')) return
      if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return
      if (!Object.isFrozen(value)) thawed.push(path)
      for (const [key, part] of Object.entries(value)) walk(part, `${path}.${key}`)
    }
  })

  it('locates every test and check', async () => {
    const line =
      '{"id": "a", "criteria": "c", "input": "i", "rubrics": ["r"], "assert": [{"type": "regex", "value": "x"}]}'
    const folder = folderWith({
      'EVAL.yaml': 'name: a\nassert:\n  - {type: contains, value: x}\ntests:\n  - ./cases.jsonl\n',
      'cases.jsonl': `\n${line}\n`,
    })
    const [suite] = (await load(folder)).suites
    const [test] = suite?.tests ?? []
    const places = [test?.at, ...(test?.checks.map(({ at }) => at) ?? [])].map(at => at?.location())
    expect(places.map(place => [place?.file.replace(`${folder}/`, ''), place?.line, place?.column])).toEqual([
      ['cases.jsonl', 2, 1],
      ['cases.jsonl', 2, line.indexOf('{"type"') + 1],
      ['cases.jsonl', 2, line.indexOf('["r"]') + 1],
      ['EVAL.yaml', 3, 5],
    ])
  })

  it('gives checks unique names within a test', async () => {
    const folder = folderWith({
      'EVAL.yaml': `assert:
  - {type: contains, value: x}
  - {type: contains, value: y}
${SUITE}    assert:
      - {type: contains, value: z}
      - {name: contains-3, type: regex, value: z}
`,
    })
    const [suite] = (await load(folder)).suites
    expect(suite?.tests[0]?.checks.map(({ name }) => name)).toEqual([
      'contains',
      'contains-3',
      'contains-2',
      'contains-4',
    ])
  })
})

describe('paths with a leading slash start at the repository root', () => {
  const input = `${SUITE}    input_files: [/shared/notes.md]\n`
  const found = async (folder: string, file: string, cwd?: string) => {
    const { suites } = await load(folder, file, cwd)
    const block = suites[0]?.tests[0]?.input[0]?.content?.[0]
    return block?.path?.replace(`${folder}/`, '')
  }

  it('which is the nearest folder with .git, even if others are nearer', async () => {
    const folder = folderWith({
      'shared/notes.md': '',
      'app/package.json': '{}',
      'app/shared/notes.md': '',
      'app/evals/.assay/targets.yaml': '',
      'app/evals/EVAL.yaml': input,
    })
    mkdirSync(join(folder, '.git'))
    expect(await found(folder, 'app/evals/EVAL.yaml')).toBe('shared/notes.md')
  })

  it('which without .git is the nearest folder with .assay, .agentv or package.json', async () => {
    const folder = folderWith({
      'package.json': '{}',
      'app/.agentv/x': '',
      'app/shared/notes.md': '',
      'app/evals/EVAL.yaml': input,
    })
    expect(await found(folder, 'app/evals/EVAL.yaml')).toBe('app/shared/notes.md')
  })

  it('which otherwise is the current folder', async () => {
    const folder = folderWith({ 'here/shared/notes.md': '', 'evals/EVAL.yaml': input })
    expect(await found(folder, 'evals/EVAL.yaml', join(folder, 'here'))).toBe('here/shared/notes.md')
  })
})

describe('custom judges', () => {
  const suite = `${SUITE}    assert: [{type: tone, level: 2, config: {loud: true}}]\n`
  const command = async (folder: string) => {
    const { suites } = await load(folder, 'app/evals/EVAL.yaml')
    const config = suites[0]?.tests[0]?.checks[0]?.config as { command: string[]; config: unknown } | undefined
    return { words: config?.command, config: config?.config }
  }

  it('are taken from the nearest folder, .assay before .agentv, with the other fields as settings', async () => {
    const folder = folderWith({
      'package.json': '{}',
      '.assay/judges/tone.py': '',
      'app/.agentv/judges/tone.py': '',
      'app/.assay/judges/tone.mjs': '',
      'app/evals/EVAL.yaml': suite,
    })
    mkdirSync(join(folder, '.git'))
    expect(await command(folder)).toEqual({
      words: ['../.assay/judges/tone.mjs'],
      config: { loud: true, level: 2 },
    })
  })

  it('are not searched for above the repository root', async () => {
    const folder = folderWith({ '.assay/judges/tone.py': '', 'app/evals/EVAL.yaml': suite })
    mkdirSync(join(folder, 'app/.git'))
    expect((await load(folder, 'app/evals/EVAL.yaml')).diagnostics.map(({ code }) => code)).toEqual(['unknown-type'])
  })

  it('without an extension must be executable', async () => {
    const folder = folderWith({ 'app/evals/.assay/judges/tone': '#!/bin/sh\n', 'app/evals/EVAL.yaml': suite })
    expect((await load(folder, 'app/evals/EVAL.yaml')).diagnostics.map(({ code }) => code)).toEqual(['unknown-type'])
    chmodSync(join(folder, 'app/evals/.assay/judges/tone'), 0o755)
    expect((await command(folder)).words).toEqual(['./.assay/judges/tone'])
  })
})

describe('the files of a check', () => {
  it('are in the order of their fields, whichever is found first', async () => {
    const names = ['slow.py', 'quick.py', 'last.py']
    const script = names.map(name => `./${name}`).join(', ')
    const folder = folderWith({
      'EVAL.yaml': `${SUITE}    assert: [{type: code_judge, script: [python, ${script}]}]\n`,
      ...Object.fromEntries(names.map(name => [name, ''])),
    })
    const own = nodeHost(folder)
    const stat = async (path: string) => {
      if (path.endsWith('slow.py')) await own.clock.sleep(20)
      return own.files.stat(path)
    }
    const host = { ...own, files: { ...own.files, stat } }
    const { suites } = await loadFiles([join(folder, 'EVAL.yaml')], { host, evaluators })
    expect([...(suites[0]?.tests[0]?.checks[0]?.files.keys() ?? [])]).toEqual(names.map(name => `./${name}`))
  })
})
