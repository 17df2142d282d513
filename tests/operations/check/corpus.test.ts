import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { checkSuites } from '../../../src/operations/check/check-suites.ts'

const CORPUS = join(import.meta.dirname, '../../corpus/check')
const EXAMPLES = join(import.meta.dirname, '../../../examples')

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'assay-check-')))
cpSync(CORPUS, copy, { recursive: true })

async function found(folder: string, file: string): Promise<string[]> {
  const { diagnostics, has_errors, tests } = await checkSuites({ paths: [file], runs: 0 }, nodeHost(folder))
  expect(has_errors).toBe(false)
  expect(tests).toBeGreaterThan(0)
  return diagnostics.map(({ line, code }) => `${line} ${code}`).sort()
}

/** The findings that comments name at the end of lines. */
function planted(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .flatMap((line, index) => {
      const code = / # ([a-z-]+)$/.exec(line)?.[1]
      return code === undefined ? [] : [`${index + 1} ${code}`]
    })
    .sort()
}

describe('suites with planted faults', () => {
  it.each(readdirSync(join(CORPUS, 'planted')))('%s has its faults found, and nothing else', async file => {
    const expected = planted(join(CORPUS, 'planted', file))
    expect(expected).not.toEqual([])
    expect(await found(join(copy, 'planted'), file)).toEqual(expected)
  })
})

describe('sound suites', () => {
  const files = readdirSync(join(CORPUS, 'sound'))

  it('are at least twenty', () => expect(files.length).toBeGreaterThanOrEqual(20))

  it.each(files)('%s has no findings', async file => {
    expect(await found(join(copy, 'sound'), file)).toEqual([])
  })

  it.each(readdirSync(EXAMPLES).filter(name => name !== 'all-targets'))(
    'the example %s has no findings',
    async name => {
      const { diagnostics } = await checkSuites({ paths: ['.'], runs: 0 }, nodeHost(join(EXAMPLES, name)))
      expect(diagnostics).toEqual([])
    },
  )
})
