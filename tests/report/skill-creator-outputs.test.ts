import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { isSafePath } from '../../src/lib/paths.ts'
import { unifiedDiff } from '../../src/lib/text/unified-diff.ts'
import type { FileChange } from '../../src/model/changes.ts'
import type { Result } from '../../src/model/result.ts'
import { makeReport } from '../../src/operations/report.ts'
import { agentskills } from '../../src/report/agentskills.ts'
import { skillCreator } from '../../src/report/skill-creator.ts'
import { filesOf, jsonOf, readFolder, readReport } from '../support/external/skill-creator.ts'
import { folderWith } from '../support/program.ts'
import { checkResult, runOf } from '../support/recorded-run.ts'

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const created = (path: string, text: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  state: 'created',
  after: { size: Buffer.byteLength(text), hash: sha(text) },
  diff: unifiedDiff('', text),
  ...more,
})

const attempt = (more: Partial<Result> = {}): Partial<Result> => ({
  test_id: 'a',
  evaluator_results: [checkResult()],
  ...more,
})
const RUN = 'eval-1-a/with_skill/run-1'

/** Kept workspaces of this file. */
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A kept workspace with these files. */
function workspace(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-'))
  folders.push(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

describe('outputs of skill-creator', () => {
  it('are the created and modified texts that the record has', () => {
    const changes = [
      created('report/chart.md', '# Chart\n'),
      { path: 'old.txt', state: 'deleted' as const, before: { size: 1 } },
    ]
    const files = filesOf(runOf([attempt({ changes })]))
    expect(files[`${RUN}/outputs/report/chart.md`]).toBe('# Chart\n')
    expect(
      Object.keys(files)
        .filter(path => path.includes('outputs/'))
        .sort(),
    ).toEqual([`${RUN}/outputs/answer.md`, `${RUN}/outputs/metrics.json`, `${RUN}/outputs/report/chart.md`])
  })

  it('list files whose content is gone, and never invent it', () => {
    const changes = [
      created('chart.png', 'x', { diff: undefined, diff_cut: 'binary' }),
      created('../../evil', 'x'),
      created('a\\..\\b', 'x'),
    ]
    const run = runOf([attempt({ changes })])
    expect(Object.keys(filesOf(run)).filter(path => path.includes('outputs/'))).toHaveLength(2)
    expect(jsonOf(run, `${RUN}/eval_metadata.json`)).toMatchObject({
      outputs_missing: [
        { path: 'chart.png', reason: 'the workspace is gone, and the record does not have the content' },
        { path: '../../evil', reason: 'the path may lead out of the folder' },
        { path: 'a\\..\\b', reason: 'the path may lead out of the folder' },
      ],
    })
  })

  it('do not replace files of the agent by the answer or the metrics', () => {
    const changes = [created('answer.md', 'of the agent'), created('metrics.json', '{"own": 1}')]
    const files = filesOf(runOf([attempt({ changes })]))
    expect(files[`${RUN}/outputs/answer.md`]).toBe('of the agent')
    expect(files[`${RUN}/outputs/answer-2.md`]).toBe('Hello')
    expect(files[`${RUN}/outputs/metrics.json`]).toBe('{"own": 1}')
  })

  it.each([
    ['skill-creator', skillCreator, 'run-1/'],
    ['agentskills', agentskills, ''],
  ] as const)(
    'are copied from a kept workspace if their content is that of the record: %s',
    async (_, reporter, runFolder) => {
      const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255])
      const folder = workspace({ 'chart.png': png, 'changed.bin': 'after the run', 'secret/link-target': 'x' })
      symlinkSync('/etc/hostname', join(folder, 'link'))
      const binary = (path: string, hash: string): FileChange => ({
        path,
        state: 'created',
        after: { size: 8, hash },
        diff_cut: 'binary',
      })
      const changes = [binary('chart.png', sha(png)), binary('changed.bin', sha('before')), binary('link', sha('x'))]
      const out = folderWith({})
      const run = runOf([attempt({ changes, workspace_path: folder })])
      const written = await makeReport(reporter, run, { output: 'out' }, nodeHost(out, {}))
      expect(written.kind).toBe('written')
      const side = reporter === agentskills ? 'eval-a/with_skill' : 'eval-1-a/with_skill'
      const outputs = join(out, 'out/iteration-1', side, runFolder, 'outputs')
      expect(readFileSync(join(outputs, 'chart.png'))).toEqual(png)
      expect(existsSync(join(outputs, 'changed.bin'))).toBe(false)
      expect(existsSync(join(outputs, 'link'))).toBe(false)
      if (reporter === skillCreator) expect((await readFolder(join(out, 'out/iteration-1'))).viewed).toHaveLength(1)
    },
  )

  it('are never read from a folder that is not a workspace', async () => {
    const folder = join(folderWith({ 'home/passwd': 'secret' }), 'home')
    const changes: FileChange[] = [{ path: 'passwd', state: 'created', after: { size: 6, hash: sha('secret') } }]
    const out = folderWith({})
    await makeReport(
      skillCreator,
      runOf([attempt({ changes, workspace_path: folder })]),
      { output: 'out' },
      nodeHost(out, {}),
    )
    expect(readdirSync(join(out, 'out/iteration-1', RUN, 'outputs')).sort()).toEqual(['answer.md', 'metrics.json'])
  })

  it.each(['', '.', '..', '/a', 'a//b', 'a/../b', 'C:x', 'a\\b', 'nul', 'con.txt', 'a\u0000', 'a.', 'x'.repeat(501)])(
    'have no path like %j',
    path => {
      expect(isSafePath(path)).toBe(false)
    },
  )
})

describe('execution metrics', () => {
  const trace_summary = {
    event_count: 3,
    tool_names: ['Read', 'Write'],
    tool_calls_by_name: { Read: 2, Write: 1 },
    error_count: 1,
    llm_call_count: 4,
  }
  const more = {
    trace_summary,
    changes: [created('a.txt', '12345')],
    output_messages: [{ role: 'assistant' as const, content: 'Hello' }],
  }

  it('count calls, steps, errors and characters', () => {
    const run = runOf([attempt({ ...more, token_usage: { input: 5, output: 5 } })])
    const counts = {
      tool_calls: { Read: 2, Write: 1 },
      total_tool_calls: 3,
      total_steps: 4,
      errors_encountered: 1,
      output_chars: 10,
    }
    expect(jsonOf(run, `${RUN}/outputs/metrics.json`)).toMatchObject({ ...counts, files_created: ['a.txt'] })
    expect(jsonOf(run, `${RUN}/grading.json`)).toMatchObject({ execution_metrics: counts })
    expect(jsonOf(run, `${RUN}/grading.json`)).not.toHaveProperty('timing')
  })

  it('have no characters that the aggregator would take for tokens', async () => {
    const run = runOf([attempt(more)])
    expect(jsonOf(run, `${RUN}/grading.json`)).not.toHaveProperty('execution_metrics.output_chars')
    expect((await readReport(run)).aggregated['with_skill']?.[0]?.tokens).toBe(0)
  })
})
