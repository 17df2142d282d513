import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../src/report/index.ts'
import { provenanceLinks, provenanceText } from '../../src/report/provenance.ts'
import { renderReport, runOf } from '../support/recorded-run.ts'

const SHA = `1a2b3c4${'0'.repeat(33)}`
const OTHER = `5d6e7f8${'0'.repeat(33)}`

describe('the text', () => {
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ git_commit: SHA }, 'commit 1a2b3c4'],
    [{ git_commit: SHA, git_branch: 'main', git_dirty: true, label: 'x' }, 'commit 1a2b3c4 (main, dirty), label x'],
    [{ label: 'x' }, 'label x'],
    [{ source: 'RUN' }, 'answers of RUN, graded again'],
    [{ git_commit: SHA, source: 'RUN' }, 'answers of RUN, graded at commit 1a2b3c4'],
    [{ git_commit: SHA, resumes: [{ started: '' }] }, 'commit 1a2b3c4, resumed at unknown'],
    [{ resumes: [{ started: '', git_commit: SHA }] }, 'commit unknown, resumed at 1a2b3c4'],
    [
      {
        merged_from: [
          { run_id: 'a', git_commit: SHA },
          { run_id: 'b', git_commit: OTHER, git_dirty: true },
          { run_id: 'c' },
        ],
      },
      'commits 1a2b3c4, 5d6e7f8 (dirty), unknown',
    ],
  ])('of %j is %j', (info, text) => {
    expect(provenanceText(info)).toBe(text)
  })
})

describe('links', () => {
  it('lead to the commit and the job', () => {
    const info = { git_commit: SHA, source_url: `https://h.example/o/r/blob/${SHA}/`, ci_url: 'https://ci.example/(1)' }
    expect(provenanceLinks(info)).toEqual({
      commit_url: `https://h.example/o/r/commit/${SHA}`,
      ci_url: 'https://ci.example/%281%29',
    })
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://me:pw@h.example/',
    'not a url',
    `https://h/${'x'.repeat(2000)}`,
  ])('never lead to %j', url => {
    expect(provenanceLinks({ git_commit: SHA, ci_url: url, source_url: url })).toEqual({})
  })
})

describe('every report', () => {
  const info = {
    run_id: 'run',
    started: '2026-11-15T09:30:00.000Z',
    attempts: [],
    options: {},
    git_commit: SHA,
    git_branch: 'main',
    git_dirty: true,
    label: 'night </script>\u001b[31m ly\n::error::',
    ci_url: 'https://ci.example/1',
  }
  const run = runOf([{ evaluator_results: [], verdict: 'fail', score: 0 }], info)
  const shown = async (type: string) => {
    const reporter = await reportFormats.find(format => format.type === type)?.load()
    const text = reporter ? renderReport(reporter, run) : ''
    return reporter?.terminalSafe?.(text) ?? text
  }

  it.each(['text', 'markdown', 'junit', 'json', 'jsonl', 'csv', 'html'])(
    '%s names the commit and the label',
    async type => {
      const text = await shown(type)
      expect(text).toContain('1a2b3c4')
      expect(text).toContain('dirty')
      expect(text).toMatch(/night (<|&lt;|&#60;|\\u003c)/)
      expect(text).not.toContain('\u001b')
      expect(text).not.toMatch(/^::error/m)
    },
  )

  it.each(['markdown', 'junit', 'json', 'html'])('%s names the CI job', async type => {
    expect(await shown(type)).toContain('https://ci.example/1')
  })
})
