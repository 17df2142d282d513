import { describe, expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

/** Prints the names of our files that are read. */
const LISTENER = `
import fs from 'node:fs'
const { readFileSync } = fs
const read = new Set()
fs.readFileSync = (path, ...options) => {
  const name = /chunks\\/(.+)-.{8}\\.cjs$/.exec(path)?.[1]
  if (name) read.add(name)
  return readFileSync(path, ...options)
}
process.on('exit', () => process.stderr.write('read: ' + [...read].sort().join()))`

const SUITE = `name: sums
tests:
  - id: a
    criteria: Adds
    input:
      - role: user
        content: 1 + 1?
    assert:
      - type: contains
        value: "2"
        required: true
      - type: regex
        value: \\d
`

const TARGETS = `targets:
  - name: default
    provider: mock
    response: "2"
`

async function filesRead(suite: string, ...args: string[]): Promise<string[]> {
  const cwd = folderWith({ 'EVAL.yaml': suite, 'targets.yaml': TARGETS })
  const listener = `data:text/javascript,${encodeURIComponent(LISTENER)}`
  const { stderr } = await run(process.execPath, ['--import', listener, PROGRAM, ...args], { cwd })
  return /read: (.*)$/.exec(stderr)?.[1]?.split(',') ?? []
}

describe('the files of modules that are rarely used', () => {
  it.each([['validate'], ['eval']])('are not read by %s', async command => {
    const read = await filesRead(SUITE, command)
    expect(read).toContain('load')
    expect(read.filter(name => name.startsWith('later-'))).toEqual([])
  })

  it('are read when one of their functions is called', async () => {
    const [wrong, judged, flow] = await Promise.all([
      filesRead(SUITE.replace('criteria: Adds', 'criteria: 1'), 'validate'),
      filesRead(
        SUITE.replace('type: regex\n        value: \\d', 'type: is_json\n        schema: ./a.json'),
        'validate',
      ),
      filesRead(`${SUITE}metadata: { author: me }\n`, 'validate'),
    ])
    expect(wrong).toEqual(expect.arrayContaining(['later-load', 'later-yaml', 'later-zod']))
    expect(judged).toContain('later-load')
    expect(flow).toContain('later-yaml')
  })
})
