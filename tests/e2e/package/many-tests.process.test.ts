import { cpSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

/** Prints the flags of V8 that are set. */
const LISTENER = `
import v8 from 'node:v8'
const { setFlagsFromString } = v8
v8.setFlagsFromString = flag => {
  process.stderr.write(\`flag: \${flag}\\n\`)
  setFlagsFromString(flag)
}`

const CHECK = { type: 'contains', value: '2' }

/** A folder with the built program and suites of few and of many tests. */
function folder(): string {
  const linesOf = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ id: `t${index}`, criteria: 'Adds', input: `${index} + 0?`, assert: [CHECK] }),
    ).join('\n')
  const made = folderWith({
    'few.jsonl': linesOf(10),
    'many.jsonl': linesOf(4000),
    'targets.yaml': 'targets:\n  - name: default\n    provider: mock\n    response: "2"\n',
    'package.json': '{}',
  })
  cpSync(dirname(PROGRAM), join(made, 'dist'), {
    recursive: true,
    filter: source => !source.includes('code-cache'),
  })
  return made
}

async function evalIn(cwd: string, suite: string): Promise<string> {
  const listener = `data:text/javascript,${encodeURIComponent(LISTENER)}`
  const args = ['--import', listener, join(cwd, 'dist/assay.cjs'), 'eval', suite, '--quiet']
  const { code, stderr } = await run(process.execPath, args, { cwd })
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('passed')
  return stderr
}

/** Versions of Node whose young generation grows large. */
const IS_LIMITED = Number.parseInt(process.versions.node, 10) >= 24

it('a run of many tests limits the young generation, and its compiled code is used by the next runs', async () => {
  const cwd = folder()
  await evalIn(cwd, 'many.jsonl')
  const cache = join(cwd, 'dist/code-cache', `${process.version}-${process.platform}-${process.arch}`)
  const files = readdirSync(cache).map(name => join(cache, name))
  const old = new Date(Date.parse('2030-01-01'))
  for (const file of files) utimesSync(file, old, old)
  expect(await evalIn(cwd, 'few.jsonl')).not.toContain('flag: ')
  const flags = await evalIn(cwd, 'many.jsonl')
  expect(flags.includes('flag: --semi-space-growth-factor=1\n')).toBe(IS_LIMITED)
  expect(files.filter(file => statSync(file).mtimeMs !== old.getTime())).toEqual([])
})
