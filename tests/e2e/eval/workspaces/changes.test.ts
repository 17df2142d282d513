import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FileChange, textAfter } from '../../../../src/model/changes.ts'
import { type Evaluated, evalFolder, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { recordsOf, verdictsOf } from '../../../support/runs.ts'
import { recordsIn, runFolder } from '../../../support/suite-run.ts'

/** Runs the prompt as a program in its workspace. */
const AGENT = `import fs from 'node:fs'
import { execFileSync } from 'node:child_process'
const write = fs.writeFileSync
const code = fs.readFileSync(0, 'utf8')
await new (Object.getPrototypeOf(async () => {}).constructor)('fs', 'write', 'execFileSync', code)(fs, write, execFileSync)
console.log('ok')
`

const target = (more: object = {}) => ({
  name: 'default',
  provider: 'cli',
  command: ['node', '../agent.mjs'],
  workspace: 'app',
  env: { TOKEN: '$' + '{{ AGENT_TOKEN }}' },
  ...more,
})

const FILES = {
  'app/a.txt': 'one\ntwo\nthree\n',
  'app/same.txt': 'same\n',
  'app/gone.txt': 'gone',
  'app/crlf.txt': 'a\r\nb\r\n',
  'app/.env': 'A=1\n',
  'app/big.txt': 'line\n'.repeat(50_000),
}

function folderFor(tests: readonly object[], targets: readonly object[] = [target()]): string {
  const folder = evalFolder(tests, targets, FILES)
  writeFileSync(join(folder, 'agent.mjs'), AGENT)
  for (const one of targets as { command: string[] }[]) one.command = ['node', join(folder, 'agent.mjs')]
  folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }) }, folder)
  return folder
}

function changesOf({ results }: Evaluated, id: string): Record<string, FileChange> {
  const { changes, error } = results.get(id) ?? expect.unreachable()
  expect(error).toBeUndefined()
  return Object.fromEntries((changes ?? expect.unreachable()).map(change => [change.path, change]))
}

const SECRET = 'hunter2-hunter2-hunter2'

describe('an agent in a workspace', () => {
  let run: Evaluated
  let folder: string

  beforeAll(async () => {
    const programs: Record<string, string> = {
      nothing: '',
      touches: `write('same.txt', 'same\\n'); fs.utimesSync('a.txt', 1, 1)`,
      edits: `write('a.txt', 'one\\n2\\nthree'); write('crlf.txt', 'a\\r\\nc\\r\\n'); write('.env', 'A=2\\n')`,
      moves: `fs.renameSync('gone.txt', 'b.txt'); fs.rmSync('same.txt'); fs.symlinkSync('a.txt', 'same.txt')`,
      folder: `fs.rmSync('gone.txt'); fs.mkdirSync('gone.txt'); write('gone.txt/x', 'x'); fs.mkdirSync('empty')`,
      hostile: `write('x.html', '</script><script>alert(1)</script>\\u001b[31m'); write('bin', Buffer.from([0, 1])); write(Buffer.from([0x63, 0xe9]), 'c')`,
      git: `execFileSync('git', ['init', '-q']); write('.gitignore', '*\\n'); fs.mkdirSync('node_modules'); write('node_modules/i.js', '')`,
      pipes: `execFileSync('mkfifo', ['pipe']); fs.rmSync('gone.txt'); execFileSync('mkfifo', ['gone.txt'])`,
      large: `write('big.txt', fs.readFileSync('big.txt', 'utf8').replace('line', 'first') + 'last'); write('huge', 'x\\n'.repeat(60_000))`,
      many: `for (let n = 0; n < 40; n++) write('f' + n, (n + ' ').repeat(9000) + '\\n')`,
      closed: `write('closed', 'x'); fs.chmodSync('closed', 0)`,
      token: `write('token.txt', process.env.TOKEN); write('wrapped.txt', Buffer.from(process.env.TOKEN).toString('base64').match(/.{1,12}/g).join('\\n'))`,
      removes: `fs.rmSync(process.cwd(), { recursive: true })`,
      // The folder becomes a link out of the workspace.
      link: `fs.mkdirSync('d'); write('d/x', 'x'); fs.rmSync('d', { recursive: true }); fs.symlinkSync('/etc', 'd')`,
    }
    folder = folderFor(Object.entries(programs).map(([id, input]) => ({ id, input: input || ' // nothing' })))
    run = await evaluate(folder, [], { AGENT_TOKEN: SECRET })
  })

  it('has no changes if it writes the same contents', () => {
    expect(run.code).toBe(0)
    expect(changesOf(run, 'nothing')).toEqual({})
    expect(changesOf(run, 'touches')).toEqual({})
  })

  it('has the diffs of edited texts, with line breaks as they are', () => {
    const changes = changesOf(run, 'edits')
    expect(Object.values(changes).map(({ path, state }) => `${state} ${path}`)).toEqual([
      'modified .env',
      'modified a.txt',
      'modified crlf.txt',
    ])
    expect(changes['a.txt']?.diff).toBe(
      '@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of file\n',
    )
    expect(changes['crlf.txt']?.diff).toBe('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n')
    expect(textAfter(changes['a.txt'] ?? expect.unreachable())).toBe('one\n2\nthree')
  })

  it('renames by deleting and creating, and turns files into links and folders', () => {
    expect(Object.values(changesOf(run, 'moves')).map(({ path, state }) => `${state} ${path}`)).toEqual([
      'created b.txt',
      'deleted gone.txt',
      'modified same.txt',
    ])
    expect(changesOf(run, 'moves')['same.txt']).toMatchObject({ after: { link: 'a.txt', size: 5 } })
    expect(Object.values(changesOf(run, 'folder')).map(({ path, state }) => `${state} ${path}`)).toEqual([
      'deleted gone.txt',
      'created gone.txt/x',
    ])
  })

  it('may write hostile texts, bytes and names', () => {
    const { 'x.html': html, bin, ...other } = changesOf(run, 'hostile')
    expect(html && textAfter(html)).toBe('</script><script>alert(1)</script>\u001b[31m')
    expect(bin).toMatchObject({ state: 'created', diff_cut: 'binary' })
    expect(other).toMatchObject({ 'c\\xe9': { state: 'created', after: { size: 1 } } })
  })

  it('is seen in ignored files, but not in git’s own folder', () => {
    expect(Object.keys(changesOf(run, 'git'))).toEqual(['.gitignore', 'node_modules/i.js'])
  })

  it('may create pipes, which are not files', () => {
    expect(Object.values(changesOf(run, 'pipes')).map(({ path, state }) => `${state} ${path}`)).toEqual([
      'deleted gone.txt',
    ])
  })

  it('has bounded diffs that say what was cut', () => {
    const { 'big.txt': big, huge } = changesOf(run, 'large')
    expect(big?.diff).toMatch(/^@@ -1,3 \+1,4 @@\n\+first\n line\n/)
    expect(big?.diff_cut).toBeUndefined()
    expect(huge).toMatchObject({ diff_cut: 'file' })
    expect(Buffer.byteLength(huge?.diff ?? '')).toBeLessThanOrEqual(64 * 1024)
    expect(huge?.diff?.endsWith('+x\n')).toBe(true)
    const many = Object.values(changesOf(run, 'many'))
    expect(many).toHaveLength(40)
    expect(many.reduce((sum, { diff = '' }) => sum + Buffer.byteLength(diff), 0)).toBeLessThanOrEqual(512 * 1024)
    expect(many.filter(({ diff_cut }) => diff_cut === 'attempt').length).toBeGreaterThan(10)
    expect(many.every(({ after }) => after?.hash !== undefined)).toBe(true)
  })

  it('may remove its workspace, or link out of it', () => {
    expect(Object.values(changesOf(run, 'removes')).map(({ state }) => state)).toEqual(Array(6).fill('deleted'))
    expect(Object.keys(changesOf(run, 'link'))).toEqual(['d'])
  })

  it('does not leak secrets through diffs', () => {
    expect(Object.keys(changesOf(run, 'token'))).toEqual(['token.txt', 'wrapped.txt'])
    for (const name of ['results.jsonl', 'answers.jsonl']) {
      const text = readFileSync(join(runFolder(folder), name), 'utf8')
      expect(text).toContain('[AGENT_TOKEN]')
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(4, 12))
    }
  })

  it('is recorded with the answer and the result, and shown in reports', async () => {
    const answers = recordsIn<{ test_id: string; answer: { changes: unknown } }>(
      join(runFolder(folder), 'answers.jsonl'),
    )
    const answer = answers.find(({ test_id }) => test_id === 'edits')
    expect(answer?.answer.changes).toEqual(run.results.get('edits')?.changes)
    const { stdout } = await assay(['explain', 'latest', 'edits'], { cwd: folder })
    expect(stdout).toContain('changed files: 3\n  modified .env\n')
    expect(stdout).toContain('\n    -two\n')
  })

  it('is graded from the record when its workspace is gone', async () => {
    for (const { workspace_path } of run.all)
      if (workspace_path !== undefined) rmSync(workspace_path, { recursive: true, force: true })
    const { code } = await assay(['grade', 'latest'], { cwd: folder })
    expect(code).toBe(0)
    const graded = recordsOf(folder)
    expect(verdictsOf(graded)).toEqual(verdictsOf(run.all))
    expect(graded.find(({ test_id }) => test_id === 'edits')?.changes).toEqual(run.results.get('edits')?.changes)
  })
})

describe('an original that is edited while the agent works', () => {
  it('makes the change known without a wrong diff', async () => {
    const folder = folderFor([{ id: 'a', input: 'write process.env.SOURCE' }])
    const source = JSON.stringify(join(folder, 'app/a.txt'))
    const input = `write(${source}, 'edited by the user\\n'); write('a.txt', 'by the agent\\n')`
    folderWith(
      {
        'EVAL.yaml': JSON.stringify({
          name: 's',
          tests: [{ id: 'a', criteria: 'x', input, assert: [{ type: 'contains', value: 'ok' }] }],
        }),
      },
      folder,
    )
    const { results } = await evaluate(folder, [], { AGENT_TOKEN: SECRET })
    const [change] = results.get('a')?.changes ?? []
    expect(change).toMatchObject({ path: 'a.txt', state: 'modified', before: { size: 14 }, diff_cut: 'unreadable' })
    expect(change).not.toHaveProperty('diff')
    expect(change?.before).not.toHaveProperty('hash')
  })
})
