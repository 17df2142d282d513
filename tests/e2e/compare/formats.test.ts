import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { suiteFolder, wordTest } from '../../support/runs.ts'
import { compare, runEval } from './agent-runs.ts'

const HOSTILE = '<img src=x onerror=alert(1)>|@all\u202e\u001b[31m'
const IDS = Array.from({ length: 10 }, (_, index) => `t${index + 10}`)
const says = (name: string, response: string) => ({ name, provider: 'mock', responses: [{ pattern: '.', response }] })
const cwd = suiteFolder(
  {
    name: 'words',
    tests: [...IDS, HOSTILE].map(id => wordTest(id, 'Well?', 'yes', { metadata: { tags: [HOSTILE] } })),
  },
  JSON.stringify({ targets: [says('good', 'yes'), says('bad', 'no')] }),
)
const TWO = ['--target', 'good', '--target', 'bad']
const read = (file: string) => readFileSync(join(cwd, file), 'utf8')
let run = ''

beforeAll(async () => {
  run = await runEval(cwd, ...TWO)
})

describe('the formats of a comparison', () => {
  it('are chosen with --format, and --json is the same as --format json', async () => {
    const [text, json, alias, markdown, html] = await Promise.all(
      [[], ['--format', 'json'], ['--json'], ['--format', 'markdown'], ['--format', 'html']].map(args =>
        compare(cwd, run, ...TWO, ...args),
      ),
    )
    expect(text?.stdout).toMatch(/^11 paired tests/)
    expect(JSON.parse(json?.stdout ?? '')).toEqual(JSON.parse(alias?.stdout ?? '-'))
    expect(markdown?.stdout).toMatch(
      /^### bad against good\n\n\*\*worse\*\*\n\n\| {2}\| good \| bad \| difference \|\n/,
    )
    expect(html?.stdout).toMatch(/^<!doctype html>\n/)
    expect((await compare(cwd, run, ...TWO, '--format', 'xml')).code).toBe(2)
    expect((await compare(cwd, run, ...TWO, '--format', 'text', '--json')).code).toBe(2)
  })

  it('are written to several files by their extensions, besides what is printed', async () => {
    const files = ['c.html', 'c.md', 'c.txt', 'c.json']
    const { code, stdout, stderr } = await compare(cwd, run, ...TWO, ...files.flatMap(file => ['-o', file]))
    expect(code).toBe(0)
    expect(stderr).toBe(files.map(file => `wrote ${file}\n`).join(''))
    expect(read('c.txt')).toBe(stdout)
    expect(JSON.parse(read('c.json')).comparisons).toHaveLength(1)
    expect((await compare(cwd, run, ...TWO, '--format', 'html')).stdout).toBe(read('c.html'))
    expect((await compare(cwd, run, ...TWO, '--format', 'markdown')).stdout).toBe(read('c.md'))
  })

  it('reject another extension, and a folder, before anything is read', async () => {
    expect(await compare(cwd, 'nowhere', '-o', 'c.xml')).toMatchObject({
      code: 2,
      stderr: 'Cannot write c.xml: unsupported extension; use one of .txt, .md, .json, .html.\n',
    })
    expect((await compare(cwd, 'nowhere', '-o', '.assay/runs.txt')).stderr).toContain('Run nowhere not found')
  })

  it('exit with the code of the gate, and put its result first in pages', async () => {
    const args = [run, ...TWO, '--fail-on-regression', '--fail-on-new-failures', '-o', 'gate.md', '-o', 'gate.html']
    expect((await compare(cwd, ...args)).code).toBe(1)
    expect(read('gate.md')).toMatch(
      /^\*\*quality gate failed: worse; 11 new failures\*\*\n\n<details><summary>new failure: 11 tests/,
    )
    expect(read('gate.html')).toContain('<p class="gate error">quality gate failed: worse; 11 new failures</p>')
  })

  it('say that a filtered comparison is a part, and have its slices', async () => {
    const args = [
      run,
      ...TWO,
      '--test-id',
      't1?',
      '--by',
      'tag',
      '--fail-on-regression',
      '-o',
      'part.md',
      '-o',
      'part.html',
    ]
    await compare(cwd, ...args)
    for (const file of ['part.md', 'part.html']) {
      expect(read(file)).toMatch(/of 11 tests, 10 selected by --test-id t1\?: quality gate failed/)
      expect(read(file)).toMatch(/of 11 tests, 10 selected by --test-id t1\?(\n|<)/)
      expect(read(file)).toContain('score difference')
    }
  })

  it('escape what tests and suites are called', async () => {
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await compare(cwd, run, ...TWO, '--format', format, '--by', 'tag')
      for (const control of ['\u001b', '\u202e']) expect(stdout).not.toContain(control)
      if (format !== 'text') expect(stdout).not.toContain('<img')
      if (format === 'markdown') expect(stdout).not.toContain('|@all')
    }
  })
})
