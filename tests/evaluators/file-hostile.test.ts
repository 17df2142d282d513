import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, run } from '../support/program.ts'
import { type AgentWork, gradeWork, worked } from '../support/worked-folder.ts'

const WORK: AgentWork = {
  before: { 'src/a.js': 'let a = 1\n', 'src/b.js': `${'// line\n'.repeat(30)}let b\n` },
  after: { 'src/b.js': `${'// line\n'.repeat(30)}let b = 2\n` },
}

describe('a file check of unusual files', () => {
  it('names the workspace that no longer exists', async () => {
    const { answer } = await worked(WORK)
    const [result] = await gradeWork(['{type: file, path: src/a.js}'], { answer })
    expect(result?.error).toEqual({
      code: 'workspace-gone',
      message:
        'the workspace of this answer no longer exists (it is removed after a pass), and the record does not decide this check: it needs the files that the agent did not change',
    })
  })

  it('has no grade without the changes of the agent', async () => {
    const [result] = await gradeWork(['{type: file, path: a}'], {
      answer: { text: 'x' },
      workspace: folderWith({ a: '' }),
    })
    expect(result?.error).toEqual({
      code: 'no-workspace',
      message: 'the changes of the agent are unknown: the answer was given without a workspace',
    })
  })

  it('compares empty files, line endings and bytes that are not text', async () => {
    const work = await worked({
      after: { empty: '', crlf: 'a\r\n', bin: new Uint8Array([0xff, 0, 0x61, 0x62]), bom: '\ufeff{}' },
    })
    const checks = [
      '{type: file, name: a, path: empty, equals: ""}',
      '{type: file, name: b, path: empty, contains: x}',
      '{type: file, name: c, path: crlf, equals: a}',
      '{type: file, name: d, path: crlf, equals: "a\\n"}',
      '{type: file, name: e, path: crlf, contains: "a\\n"}',
      '{type: file, name: f, path: bin, contains: ab}',
      '{type: file, name: g, path: bin, equals_file: text}',
      '{type: file, name: h, path: bom, json_schema: {}}',
    ]
    const files = { text: 'ab' }
    const results = await gradeWork(checks, work, files)
    expect(results.map(({ score, misses }) => [score, ...misses])).toEqual([
      [1],
      [0, '`empty` does not contain "x"; it is empty'],
      [1],
      [1],
      [0, '`crlf` does not contain "a↵"; it is "a␍↵"'],
      [1],
      [0, '`bin` differs from `text`: it has 4 bytes, expected 2'],
      [1],
    ])
    const recorded = await gradeWork(checks, { answer: work.answer }, files)
    expect(recorded.map(({ score, error }) => score ?? error?.code)).toEqual([1, 0, 1, 1, 0, 'workspace-gone', 0, 1])
  })

  it('never reads what a link outside of the workspace leads to', async () => {
    const outside = folderWith({ secret: 'SECRET\n' })
    const work = await worked({
      before: { 'in.txt': 'inside\n' },
      more: workspace => {
        symlinkSync(join(outside, 'secret'), join(workspace, 'out'))
        symlinkSync(outside, join(workspace, 'folder'))
        symlinkSync('in.txt', join(workspace, 'in'))
        symlinkSync('nowhere', join(workspace, 'broken'))
        symlinkSync('self', join(workspace, 'self'))
        mkdirSync(join(workspace, 'sub'))
        symlinkSync('../../..', join(workspace, 'sub/up'))
      },
    })
    const results = await gradeWork(
      [
        '{type: file, name: a, path: out, contains: SECRET}',
        '{type: file, name: b, path: folder/secret}',
        '{type: file, name: c, path: folder, contains: SECRET}',
        '{type: file, name: d, path: in, contains: inside}',
        '{type: file, name: e, path: broken, contains: x}',
        '{type: file, name: f, path: self, regex: x}',
        '{type: file, name: g, path: sub/up, state: created, equals: x}',
        '{type: file, name: h, path: "**", contains: SECRET, count: 0}',
        '{type: file, name: i, path: out, state: created}',
      ],
      work,
    )
    expect(results.map(({ score, misses }) => [score, ...misses])).toEqual([
      [0, '`out` is a symbolic link that leads out of the workspace, and is not read'],
      [0, expect.stringContaining('no file matches `folder/secret`')],
      [0, '`folder` is a symbolic link that leads out of the workspace, and is not read'],
      [1],
      [0, '`broken` is a symbolic link that leads nowhere'],
      [0, '`self` is a symbolic link that leads nowhere'],
      [0, '`sub/up` is a symbolic link that leads out of the workspace, and is not read'],
      [1],
      [1],
    ])
    expect(JSON.stringify(results)).not.toContain('SECRET\\\\n')
  })

  it('does not wait for pipes, and does not read huge files', async () => {
    const work = await worked({
      after: { 'a.txt': 'x' },
      more: workspace => {
        writeFileSync(join(workspace, 'huge'), '')
        truncateSync(join(workspace, 'huge'), 20_000_000)
      },
    })
    await run('mkfifo', [join(work.workspace, 'pipe')], { cwd: work.workspace })
    symlinkSync('pipe', join(work.workspace, 'to-pipe'))
    const results = await gradeWork(
      [
        '{type: file, name: a, path: "**", contains: x, count: {min: 1}}',
        '{type: file, name: b, path: pipe}',
        '{type: file, name: c, path: to-pipe, contains: x}',
        '{type: file, name: d, path: huge, contains: x}',
        '{type: file, name: e, path: huge, equals: x}',
      ],
      work,
    )
    expect(results.map(({ score, error, misses }) => [score ?? error?.code, ...misses])).toEqual([
      [1],
      [0, expect.stringContaining('no file matches `pipe`')],
      [0, '`to-pipe` is a symbolic link that does not lead to a file'],
      ['file-too-large'],
      [0, expect.stringContaining('`huge` differs')],
    ])
  })

  it('has no grade if a file was changed after the agent, or a link is in place of the workspace', async () => {
    const work = await worked({ ...WORK })
    writeFileSync(join(work.workspace, 'src/b.js'), 'changed by a command\n')
    const [changed] = await gradeWork(['{type: file, path: src/b.js, contains: command}'], work)
    expect(changed?.error?.code).toBe('workspace-changed')
    const link = join(folderWith(), 'link')
    symlinkSync(work.workspace, link)
    const [linked] = await gradeWork(['{type: file, path: src/a.js}'], { ...work, workspace: link })
    expect(linked?.error?.code).toBe('workspace-gone')
  })

  it('does not trust a recorded text whose secrets are redacted', async () => {
    const { answer } = await worked({ after: { 'key.txt': 'key=abc\n' } })
    const changes = answer.changes?.map(change => ({ ...change, diff: change.diff?.replace('abc', '<secret>') }))
    const [result] = await gradeWork(['{type: file, path: key.txt, contains: abc}'], {
      answer: { ...answer, changes },
    })
    expect(result?.error?.code).toBe('workspace-gone')
  })

  it('shows hostile names on one line, and only the first of many', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${String(index).padStart(2, '0')}\n\u001b[31m</script>`)
    const { answer } = await worked({ after: Object.fromEntries(names.map(name => [name.replaceAll('/', '_'), 'x'])) })
    const [result] = await gradeWork(['{type: file, path: "f*", state: created, contains: y}'], { answer })
    expect(result?.misses).toHaveLength(21)
    expect(result?.misses.at(-1)).toBe('and 10 more')
    expect(result?.misses.join('')).not.toContain('\n')
  })
})
