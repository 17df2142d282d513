import { describe, expect, it } from 'vitest'
import type { RunInfo } from '../../src/model/run-info.ts'
import type { RunReader } from '../../src/model/run-reader.ts'
import { reportFormats } from '../../src/report/index.ts'
import { renderReport, runOf, trialsOf } from '../support/recorded-run.ts'

const formats = await Promise.all(reportFormats.map(async format => ({ ...format, reporter: await format.load() })))

const INFO = { started: '2026-11-15T09:30:00.000Z', targets: [{ name: 'default' }] } as Partial<RunInfo>
const HINT = 'the report must show `partial` of annotatedResults, or the texts of runNotes'

describe.each(formats)('the $type report', ({ type, extension, reporter }) => {
  /** Everything that the report says of a run, with the notes for the terminal. */
  const outputOf = (run: RunReader) => [renderReport(reporter, run), ...(reporter.notes?.(run, {}) ?? [])].join('\n')

  it('has a reporter of that type with a summary, and an extension, a file or a folder', () => {
    expect(reporter.type).toBe(type)
    expect(reporter.summary, `add a \`summary\` to the reporter ${type}`).not.toBe('')
    // GitHub annotations are only printed.
    const outputs = [extension, reporter.file, reporter.folder].filter(output => output !== undefined)
    expect(outputs).toHaveLength(type === 'github' ? 0 : 1)
  })

  it('has the same bytes for the same records', () => {
    const records = () => runOf([...trialsOf('a', [1, 0.7, 0]), ...trialsOf('b', [null])], INFO)
    const bytes = () =>
      [...reporter.render(records())].map(({ path, text }) => [path, Buffer.from([...text].join('')).toString('hex')])
    expect(bytes()).toEqual(bytes())
  })

  it('counts damaged lines', () => {
    const output = outputOf({ ...runOf(trialsOf('a', [1])), damaged: 2 })
    expect(/2 damaged lines left out|"damaged":2/.test(output), HINT).toBe(true)
  })

  it('describes a partial run', () => {
    const info = { ...INFO, attempts: [], stopped: 'budget', available_tests: 9, selected_tests: 3, options: {} }
    const run = { ...runOf(trialsOf('a', [1]), info as Partial<RunInfo>), planned: 3, planned_tests: 3 }
    expect(outputOf(run), HINT).toContain('3 of 9 tests selected; budget spent, 1 of 3 attempts made')
  })
})
