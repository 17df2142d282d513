import { expect, it } from 'vitest'
import { reportFormats } from '../../src/report/index.ts'

it.each(reportFormats)(
  '$type has a reporter of that type, and an extension or a folder',
  async ({ type, extension, load }) => {
    const reporter = await load()
    expect(reporter.type).toBe(type)
    // GitHub annotations are only printed.
    const outputs = [extension, reporter.folder].filter(output => output !== undefined)
    expect(outputs).toHaveLength(type === 'github' ? 0 : 1)
  },
)
