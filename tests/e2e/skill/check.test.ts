import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { check, codesOf, skillFile, withEvals } from '../../support/skill-checks.ts'

describe('what assay skill check finds', () => {
  it('says how many skills have no problems', async () => {
    expect(await check({ ...withEvals('one'), ...withEvals('two') })).toEqual({
      code: 0,
      stdout: 'No problems: 2 skills checked.\n',
      stderr: '',
    })
  })

  it.each([
    ['a skill', 'plugin/skills/one'],
    ['its SKILL.md', 'plugin/skills/one/SKILL.md'],
    ['a folder of skills', 'plugin/skills'],
    ['a plugin', 'plugin'],
    ['a folder with a plugin', '.'],
  ])('finds skills in %s', async (_, argument) => {
    const files = {
      'plugin/.claude-plugin/plugin.json': '{"name": "p"}',
      'plugin/skills/one/SKILL.md': skillFile('one'),
      'plugin/evals/a-case/prompt.md': 'Hi',
    }
    expect((await check(files, argument)).stdout).toBe('No problems: 1 skill checked.\n')
  })

  it('finds the skills of a project in hidden folders of agents', async () => {
    const files = { '.claude/skills/one/SKILL.md': skillFile('one'), '.agents/skills/two/SKILL.md': skillFile('other') }
    const codes = await codesOf(files)
    expect(codes).toContain('.agents/skills/two/SKILL.md:2 error skill-name')
    expect(codes).toContain('.claude/skills/one/SKILL.md:1 warning no-evals')
  })

  it('does not check a template in the assets of a skill', async () => {
    expect(await codesOf({ ...withEvals('one'), 'one/assets/template/SKILL.md': '# TODO' })).toEqual([])
  })

  it('checks a skill once if it is named twice or linked', async () => {
    const cwd = folderWith(withEvals('one'))
    mkdirSync(join(cwd, '.claude'))
    symlinkSync('..', join(cwd, '.claude/skills'))
    const { stdout } = await assay(['skill', 'check', '.', 'one', 'one/SKILL.md'], { cwd })
    expect(stdout).toBe('No problems: 1 skill checked.\n')
  })

  it('exits with 5 if there is no skill, and names each folder without one', async () => {
    const { code, stdout, stderr } = await check({ 'notes.md': 'x', ...withEvals('one') }, 'one', 'missing', 'notes.md')
    expect([code, stdout]).toEqual([5, 'No problems: 1 skill checked.\n'])
    expect(stderr).toBe(
      'No skill found in missing: a skill is a folder with a file SKILL.md.\nNo skill found in notes.md: a skill is a folder with a file SKILL.md.\n',
    )
  })

  it('exits with 2 for an error, with --strict for a warning, and with too many of them', async () => {
    expect((await check({ 'one/SKILL.md': skillFile('two') })).code).toBe(2)
    const warned = { 'one/SKILL.md': skillFile('one') }
    expect((await check(warned)).code).toBe(0)
    expect((await check(warned, '.', '--strict')).code).toBe(2)
    expect((await check(warned, '.', '--max-warnings', '0')).code).toBe(2)
  })

  it('writes annotations and SARIF', async () => {
    const files = { 'one/SKILL.md': skillFile('two') }
    expect((await check(files, '.', '--format', 'github')).stdout).toMatch(/^::error file=one\/SKILL.md,line=2,/m)
    expect(JSON.parse((await check(files, '.', '--format', 'sarif')).stdout).runs[0].results.length).toBe(2)
  })
})

describe('evals of a skill', () => {
  const without = { 'skills/one/SKILL.md': skillFile('one') }

  it.each([
    'skills/one/evals/evals.json',
    'skills/one/evals/trigger-evals.json',
    'skills/one/eval_queries.json',
    'skills/one/EVAL.yaml',
    'skills/one/evals/first/case.yaml',
    'evals/group/first/prompt.md',
    'evals/smoke.eval.yaml',
    'EVAL.yaml',
  ])('may be %s', async file => {
    expect(await codesOf({ ...without, [file]: '[]' })).toEqual([])
  })

  it('are not a prompt among its references, or evals of another skill', async () => {
    const files = { ...without, 'skills/one/assets/prompt.md': 'x', ...withEvals('two') }
    expect(await codesOf(files, 'skills')).toEqual(['skills/one/SKILL.md:1 warning no-evals'])
  })

  it('may be in the folder that the manifest of the plugin names', async () => {
    const files = {
      ...without,
      'plugin.json': '{"experimental": {"evals": "./checks"}}',
      'checks/first/prompt.md': 'Hi',
    }
    expect(await codesOf(files)).toEqual([])
  })
})

describe('descriptions', () => {
  const codesFor = (description: string, extra = '') =>
    codesOf({
      ...withEvals('one', `---\nname: one\ndescription: ${JSON.stringify(description)}\n${extra}---\n`),
    })

  it.each([
    'Extracts text from PDF files. Use when the user has a PDF.',
    'This skill should be used when reviewing code.',
    'Guidelines for SQL. Invoke before writing a migration.',
    'Knowledge of the billing system for questions about invoices.',
    'Erstellt Berichte aus Tabellen.',
    'PDFの表を抽出します。',
  ])('are fine: %s', async description => {
    expect(await codesFor(description)).toEqual([])
  })

  it.each(['Helps with PDFs and the like.', 'A collection of SQL snippets.'])('are vague: %s', async description => {
    expect(await codesFor(description)).toEqual(['one/SKILL.md:3 warning vague-description'])
  })

  it('are not judged for skills that only users start, or with `when_to_use`', async () => {
    expect(await codesFor('Deploys the site.', 'disable-model-invocation: true\n')).toEqual([])
    expect(await codesFor('Deploys the site to the server.', 'when_to_use: On release days\n')).toEqual([])
  })

  const similar = async (a: string, b: string) => {
    const codes = await codesOf({ ...withEvals('a', skillFile('a', a)), ...withEvals('b', skillFile('b', b)) })
    return codes.some(code => code.endsWith('similar-skills'))
  }

  const WORD =
    'Use this skill whenever the user wants to create, read, edit or convert Word documents (.docx files), with headings, tables of contents, page numbers or letterheads.'

  it.each([
    [
      'Analyses CSV files and writes a report with charts. Use when the user asks about data in a CSV file.',
      'Analyse CSV data and draw charts for a report. Use when the user has CSV files.',
    ],
    [
      'Writes commit messages in the conventional style. Use when committing changes to git.',
      'Use when the user commits changes with git, to write a conventional commit message.',
    ],
    [
      'Reviews pull requests for security problems such as injection, secrets and unsafe input. Use when reviewing code.',
      'Security review of pull requests. Finds injection, leaked secrets and unsafe input when code is reviewed.',
    ],
  ])('are similar: %s | %s', async (a, b) => {
    expect(await similar(a, b)).toBe(true)
  })

  it.each([
    [
      WORD,
      'Use this skill whenever the user wants to create, read, edit or convert spreadsheets (.xlsx, .csv), with formulas, charts, pivot tables or formatting.',
    ],
    [
      WORD,
      'Use this skill whenever a .pptx file is involved: creating slide decks or presentations, reading text from slides, editing layouts, templates, speaker notes or comments.',
    ],
    [
      'Reviews pull requests for security problems. Use when reviewing code.',
      'Reviews the accessibility of web pages. Use when reviewing user interfaces.',
    ],
    ['Formats Python code. Use when Python is untidy.', 'Formats Go code. Use when Go is untidy.'],
    [
      'Draws charts from CSV files. Use when the user wants a chart.',
      'Cleans tables of customers. Use when rows are duplicated. Do not use to draw charts from CSV files.',
    ],
  ])('are different: %s | %s', async (a, b) => {
    expect(await similar(a, b)).toBe(false)
  })

  it('are compared with neighbours that are not checked, which are not reported themselves', async () => {
    const files = {
      ...withEvals('a', skillFile('a', 'Writes release notes from git tags. Use when a version is released.')),
      ...withEvals('b', skillFile('B!', 'Use when a version is released. Release notes, written from git tags.')),
    }
    expect(await codesOf(files, 'a')).toEqual(['a/SKILL.md:3 warning similar-skills'])
  })
})

describe('references of a skill', () => {
  const codesFor = (body: string, files: Record<string, string> = {}) =>
    codesOf({ ...withEvals('one', skillFile('one', undefined, body)), ...files })

  it.each([
    '[site](https://example.com/a.md) [mail](mailto:a@b.c) [top](#top) [root](/etc/x.md) [home](~/x.md)',
    '[text](url) [text](path/to/file.md) [x](<name>.md) [x]({{name}}.md) [x](files/*.md) ![x](data:image/png;base64,a)',
    '`scripts/*.py` `scripts/<name>.py` `scripts/{a,b}.sh` `src/scripts/a.py` `/scripts/a.py` `scripts/`',
    '```md\n[a](missing.md)\n```\n~~~\n[a](missing.md)\n~~~\n`[a](missing.md)`\n<!-- [a](missing.md) scripts/a.py -->',
    `https://example.com/scripts/a.py and $HOME/scripts/a.py and \${CLAUDE_PLUGIN_ROOT}/scripts/a.py`,
  ])('are not: %s', async body => {
    expect(await codesFor(body)).toEqual([])
  })

  it.each([
    ['[a](missing.md)', 'error'],
    ['![a](<missing file.png>)', 'error'],
    ['[a][b]\n\n[b]: ./missing.md "title"', 'error'],
    ['[a](references/none.md#top)', 'error'],
    ['Run scripts/none.py.', 'warning'],
    ['```sh\npython ./scripts/none.py --x\n```', 'warning'],
    ['`{baseDir}/scripts/none.py`', 'warning'],
    ['("assets/none.json")', 'warning'],
  ])('are reported: %s', async (body, severity) => {
    expect((await codesFor(body)).map(code => code.replace(/:\d+/, ''))).toEqual([
      `one/SKILL.md ${severity} file-missing`,
    ])
  })

  it('are found with their own spelling, in folders and above the skill', async () => {
    const files = { 'one/my notes.md': 'x', 'one/references/a.md': 'x', 'shared.md': 'x' }
    expect(await codesFor('[a](my%20notes.md) [b](references/) [c](../shared.md) `references/a.md`', files)).toEqual([])
  })

  it('may be circular', async () => {
    const files = { 'one/a.md': '[b](b.md) [skill](SKILL.md)', 'one/b.md': '[a](a.md)' }
    expect(await codesFor('[a](a.md) [b](b.md) [self](SKILL.md)', files)).toEqual([])
  })
})
