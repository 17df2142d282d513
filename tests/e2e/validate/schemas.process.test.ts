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

const VALID = `name: sums
assert: [{ type: regex, value: "^.{0,400}$" }]
tests:
  - id: a
    criteria: Adds
    input: [{ role: user, content: 1 + 1? }]
    assert: [{ type: contains, value: "2" }, { type: icontains, value: please }]
`

const INVALID = VALID.replace('criteria: Adds', 'criteria: 1')

async function schemasMade(suite: string, ...args: string[]): Promise<number> {
  const counter = `data:text/javascript,${encodeURIComponent(COUNTER)}`
  const cwd = folderWith({ 'EVAL.yaml': suite })
  const { code, stderr } = await run(process.execPath, ['--import', counter, ...args], { cwd })
  expect(code, stderr).toBe(suite === VALID ? 0 : 2)
  return Number(/schemas: (\d+)$/.exec(stderr)?.[1])
}

describe('schemas, which take long to make,', () => {
  it('are not made when the program is imported', async () => {
    const api = pathToFileURL(join(dirname(PROGRAM), 'index.js')).href
    expect(await schemasMade(VALID, '--input-type=module', '--eval', `await import(${JSON.stringify(api)})`)).toBe(0)
  })

  it('are made only of what is wrong in a suite', async () => {
    expect(await schemasMade(VALID, PROGRAM, 'validate')).toBe(0)
    expect(await schemasMade(INVALID, PROGRAM, 'validate')).toBeGreaterThan(100)
  })
})
