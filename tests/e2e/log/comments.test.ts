import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { COUNTING, COUNTING_AGENT, LOGS, logIn, logsFolder } from '../../support/logs/written-logs.ts'

const LOG = `# Reviewed by Ada.
name: hi # as ConnectOnion names it
turns:
# the only turn
- input: hi
  run: 1
  # not polite
  output: Hi. # really
  expected: 1. hi # exactly
  history: []
# end of the file
`

const COMMENTS = LOG.match(/#.*$/gm) ?? []

describe('comments in a log are kept by', () => {
  let folder: string
  const run = (...args: string[]) => assay(args, { cwd: folder })

  beforeAll(() => {
    const test = { id: 'hi', criteria: 'Answers', input: 'hi', assert: [{ type: 'contains', value: 'hi' }] }
    folder = logsFolder({ hi: LOG }, [COUNTING], {
      'agent.mjs': COUNTING_AGENT,
      'EVAL.yaml': JSON.stringify({ name: 'hi', tests: [test] }),
    })
  })

  it.each([
    ['log run', ['log', 'run', 'hi'], 2],
    ['log eval', ['log', 'eval', '--quiet'], 3],
    ['eval --log', ['eval', '--log', '--quiet'], 4],
    ['log expect', ['log', 'expect', 'hi', '--text', '1. hi'], 4],
    ['log import', ['log', 'import', 'latest'], 5],
  ])('assay %s', async (name, args, runs) => {
    if (name === 'log import') await run('eval', '--quiet')
    const { code, stderr } = await run(...args)
    expect([code, stderr.includes('corrupt')]).toEqual([0, false])
    expect(logIn(folder, 'hi').runs).toBe(runs)
    const text = readFileSync(join(folder, LOGS, 'hi.yaml'), 'utf8')
    expect(text.match(/#.*$/gm)?.sort()).toEqual(COMMENTS.toSorted())
  })
})
