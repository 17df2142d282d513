import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isNewer, markedSchema, writtenBy } from '../../src/operations/init.ts'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const SCHEMA = '.assay/schema/eval.schema.json'
const OLD = '{\n  "$schema": "http://json-schema.org/draft-07/schema#",\n  "title": "EVAL.yaml"\n}\n'

async function initIn(schema: string) {
  const cwd = folderWith({ [SCHEMA]: schema })
  const { code, stdout } = await assay(['init'], { cwd })
  expect(code).toBe(0)
  return { stdout, schema: readFileSync(join(cwd, SCHEMA), 'utf8'), cwd }
}

describe('init with existing schemas', () => {
  it('replaces a schema of an older version', async () => {
    const { stdout, schema, cwd } = await initIn(markedSchema(OLD, '0.0.9'))
    expect(stdout).toContain(`wrote ${SCHEMA} (updated)\n`)
    expect(JSON.parse(schema).properties).toHaveProperty('tests')
    const again = await assay(['init'], { cwd })
    expect(again.stdout).toContain(`kept  ${SCHEMA} (already exists)\n`)
    expect(readFileSync(join(cwd, SCHEMA), 'utf8')).toBe(schema)
  })

  it.each<[what: string, schema: string]>([
    ['was edited', markedSchema(OLD, '0.0.9').replace('EVAL.yaml', 'Mine')],
    ['has another layout', JSON.stringify(JSON.parse(markedSchema(OLD, '0.0.9')))],
    ['has no mark', OLD],
    ['has another mark', OLD.replace('"title"', '"$comment": "Written by assay 0.0.9", "title"')],
    ['is a list', '[]\n'],
    ['is not JSON', '{'],
    ['is empty', ''],
    ['is not UTF-8', '\u0000\uFFFD'],
  ])('keeps a schema that %s', async (_, text) => {
    const { stdout, schema } = await initIn(text)
    expect(stdout).toContain(`kept  ${SCHEMA} (edited: delete it to get the current version)\n`)
    expect(schema).toBe(text)
  })

  it('keeps a schema of a newer version', async () => {
    const text = markedSchema(OLD, '99.0.0')
    const { stdout, schema } = await initIn(text)
    expect(stdout).toContain(`kept  ${SCHEMA} (written by a newer version)\n`)
    expect(schema).toBe(text)
  })

  it('adds the judges of the project to the schema', async () => {
    const { cwd } = await initIn(markedSchema(OLD, '0.0.9'))
    mkdirSync(join(cwd, '.assay/judges'))
    writeFileSync(join(cwd, '.assay/judges/tone-check.py'), 'print(1)\n')
    const { stdout } = await assay(['init'], { cwd })
    expect(stdout).toContain(`wrote ${SCHEMA} (updated)\n`)
    const offered = JSON.parse(readFileSync(join(cwd, SCHEMA), 'utf8')).definitions.check.anyOf[1].properties.type
      .anyOf[0]
    expect(offered.enum).toEqual(expect.arrayContaining(['contains', 'tone_check']))
  })

  it('lists updated files separately in JSON', async () => {
    const cwd = folderWith({ [SCHEMA]: markedSchema(OLD, '0.0.9'), 'EVAL.yaml': 'mine' })
    const { stdout } = await assay(['init', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ updated: [SCHEMA], kept: ['EVAL.yaml'] })
    writeFileSync(join(cwd, SCHEMA), '{}')
    const again = JSON.parse((await assay(['init', '--json'], { cwd })).stdout)
    expect(again).toMatchObject({ written: [], updated: [] })
    expect(again.kept).toHaveLength(5)
  })
})

describe('the version mark of a schema', () => {
  it('names the version that wrote it', () => {
    expect(writtenBy(markedSchema(OLD, '1.2.3'))).toBe('1.2.3')
    expect(writtenBy(OLD)).toBeUndefined()
  })

  it('compares versions by their numbers', () => {
    expect(isNewer('1.10.0', '1.9.9')).toBe(true)
    expect([isNewer('1.2.3', '1.2.3'), isNewer('0.9.0', '1.0.0')]).toEqual([false, false])
  })
})
