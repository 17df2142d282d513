import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

/** Counts the schemas that zod makes: each gets its internals as a property of this name. */
const COUNTER = `
const { defineProperty } = Object
let made = 0
Object.defineProperty = (target, key, descriptor) => {
  if (key === '_zod') made++
  return defineProperty(target, key, descriptor)
}
process.on('exit', () => process.stderr.write('schemas: ' + made))`

const SUITE = `name: sums
assert: [{ type: regex, value: "^.{0,400}$" }]
tests:
  - id: a
    criteria: Adds
    input: [{ role: user, content: 1 + 1? }]
    assert: [{ type: contains, value: "2" }, { type: icontains, value: please }]
`

async function schemasMade(...args: string[]): Promise<number> {
  const counter = `data:text/javascript,${encodeURIComponent(COUNTER)}`
  const cwd = folderWith({ 'EVAL.yaml': SUITE })
  const { code, stderr } = await run(process.execPath, ['--import', counter, ...args], { cwd })
  expect(code, stderr).toBe(0)
  return Number(/schemas: (\d+)$/.exec(stderr)?.[1])
}

describe('schemas, which take long to make,', () => {
  it('are not made when the program is imported', async () => {
    const api = pathToFileURL(join(dirname(PROGRAM), 'index.js')).href
    expect(await schemasMade('--input-type=module', '--eval', `await import(${JSON.stringify(api)})`)).toBe(0)
  })

  it('are made only for what a suite has', async () => {
    const made = await schemasMade(PROGRAM, 'validate')
    expect(made).toBeGreaterThan(100)
    expect(made).toBeLessThan(500)
  })
})
