import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { CODES } from '../../src/diagnostics/codes.ts'
import { evaluators } from '../../src/evaluators/index.ts'
import { isConfigFile } from '../../src/parse/file-names.ts'
import { providers } from '../../src/providers/index.ts'
import { editorEvalSchema } from '../../src/spec/editor-schema.ts'
import { configJsonSchema, evalJsonSchema, targetsJsonSchema } from '../../src/spec/json-schema.ts'
import type { JsonSchema } from '../../src/spec/json-schema-rules.ts'
import { type Case, casesIn, loadCase } from '../support/corpus.ts'

const schema = evalJsonSchema(evaluators)
const ajv = new Ajv({ allErrors: true, strictTypes: false })
ajv.addSchema(schema, 'eval')
const suite = ajv.getSchema('eval') as ValidateFunction
const test = ajv.getSchema('eval#/definitions/test_with_input') as ValidateFunction
const portable = { suite, test }
const targets = ajv.compile(targetsJsonSchema(providers))
const config = ajv.compile(configJsonSchema())

interface Validators {
  readonly suite: ValidateFunction
  readonly test: ValidateFunction
}

/** Whether a file is valid under the schema; undefined if it has no value to validate. */
function verdict(file: string, { suite, test }: Validators = portable): boolean | undefined {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.jsonl')) {
    const lines = text.replace(/^\uFEFF/, '').split('\n')
    return lines.filter(line => line.trim() !== '').every(line => test(JSON.parse(line)))
  }
  const value = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) })
  if (/^targets\.ya?ml$/.test(basename(file))) return targets(value) as boolean
  if (isConfigFile(file)) return config(value) as boolean
  // An imported file is a list of tests.
  if (Array.isArray(value) && !/EVAL\.ya?ml$|\.eval\.ya?ml$/.test(file)) return value.every(entry => test(entry))
  return suite(value) as boolean
}

function readable(file: string): boolean {
  try {
    return verdict(file) !== undefined
  } catch {
    return false
  }
}

/** Whether a file belongs to a case of plugin evals, which has no JSON Schema. */
function isOfPluginCase(file: string): boolean {
  return ['prompt.md', 'case.yaml'].some(name => existsSync(join(dirname(file), name)))
}

/** The schema does not cover the rows of tests. */
function isCovered(file: string): boolean {
  return /\.(ya?ml|jsonl)$/.test(file) && !file.endsWith('.rows.jsonl')
}

/** The files of a case that the loader read as suites, tests or targets. */
function filesOf({ folder }: Case): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter(file => isCovered(file) && !file.includes('node_modules'))
    .map(file => join(folder, file))
    .filter(file => existsSync(file) && !isOfPluginCase(file))
}

describe('every valid file is valid under the schema', () => {
  it.each(casesIn('valid'))('$name', example => {
    for (const file of filesOf(example))
      expect([basename(file), verdict(file), suite.errors]).toEqual([basename(file), true, suite.errors])
  })
})

describe('the schema rejects errors of shape and accepts errors of meaning', () => {
  const proven = new Set<string>()

  it.each(casesIn('invalid'))('$name', async example => {
    const { diagnostics } = await loadCase(example)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    for (const file of new Set(errors.map(diagnostic => diagnostic.file))) {
      if (!isCovered(file) || isOfPluginCase(file) || !readable(file)) continue
      const codes = errors.filter(diagnostic => diagnostic.file === file).map(({ code }) => code)
      // The schema does not cover imported files.
      if (codes.includes('bad-import')) continue
      const shape = codes.some(code => CODES[code].kind === 'shape')
      expect({ file: basename(file), codes, valid: verdict(file) }).toEqual({
        file: basename(file),
        codes,
        valid: !shape,
      })
      if (new Set(codes).size === 1) for (const code of codes) proven.add(code)
    }
  })

  it('every code of shape is alone in a file of at least one case', () => {
    const codes = Object.entries(CODES).filter(([, { kind, severity }]) => kind === 'shape' && severity === 'error')
    expect(codes.map(([code]) => code).filter(code => !proven.has(code))).toEqual([])
  })
})

describe('the schema for editors', () => {
  const editor = new Ajv({ allErrors: true, strict: false })
  editor.addSchema(editorEvalSchema(evaluators, ['tone']), 'editor')
  const validators = {
    suite: editor.getSchema('editor'),
    test: editor.getSchema('editor#/definitions/test_with_input'),
  }

  it.each([...casesIn('valid'), ...casesIn('invalid')])(
    'accepts every file that the strict schema accepts: $name',
    example => {
      for (const file of filesOf(example).filter(readable)) {
        const name = basename(file)
        if (name.startsWith('targets.') || isConfigFile(file)) continue
        expect([name, verdict(file, validators as Validators)]).toEqual([name, verdict(file)])
      }
    },
  )

  /** The fields with a warning. */
  const found: string[] = []
  const looking = new Ajv({ strict: false })
  looking.addKeyword({
    keyword: 'deprecationMessage',
    validate: (_message: string, _data: unknown, _schema: unknown, context?: { parentDataProperty?: unknown }) => {
      found.push(String(context?.parentDataProperty))
      return true
    },
  })
  const warning = looking.compile(editorEvalSchema(evaluators, ['tone']))

  it.each([
    ['contains', []],
    ['llm-judge', []],
    ['tone', []],
    ['contain', ['type']],
    ['my_judge', ['type']],
  ])('warns about an unknown type: %s', (type, warned) => {
    found.length = 0
    const check = { type, ...(type === 'llm-judge' ? { prompt: 'Is it kind?' } : { value: 'x' }) }
    const suite = { name: 'a', tests: [{ id: 'a', criteria: 'b', input: 'c', assert: [check] }] }
    expect(warning(suite)).toBe(true)
    expect(found).toEqual(warned)
  })
})

describe('the completion of editors', () => {
  const targetsSchema = targetsJsonSchema(providers)
  const { test: testSchema, ...definitions } = schema['definitions'] as Record<string, JsonSchema>

  it('contains one name per key', () => {
    for (const part of [schema, testSchema, schema.properties?.['execution'], testSchema?.properties?.['execution']]) {
      const keys = Object.keys(part?.properties ?? {})
      expect(keys).toContain('assert')
      const others = ['assertions', 'evaluators', 'eval_cases', 'input_messages', 'expected_outcome', 'author']
      expect(keys.filter(key => others.includes(key))).toEqual([])
    }
  })

  it('contains one spelling per type and provider', () => {
    const checks = evaluators.map(({ type }) => offered(definitions[`check_${type}`]?.properties?.['type']))
    expect(checks).toEqual(evaluators.map(({ type }) => [type]))
    const parts = targetsSchema['definitions'] as Record<string, JsonSchema>
    const targets = providers.map(({ type }) => offered(parts[`target_${type}`]?.properties?.['provider']))
    expect(targets).toEqual(providers.map(({ type }) => [type]))
  })

  function offered(field: JsonSchema = {}): unknown[] {
    const parts = [field, ...((field['anyOf'] as JsonSchema[] | undefined) ?? [])]
    return parts.flatMap(part => [part['const'] ?? [], part['enum'] ?? []].flat())
  }
})

it('has a description for every field', () => {
  const missing: string[] = []
  walk(schema, 'eval')
  walk(targetsJsonSchema(providers), 'targets')
  walk(configJsonSchema(), 'config')
  expect(missing).toEqual([])

  function walk(node: unknown, path: string): void {
    if (typeof node !== 'object' || node === null) return
    const { properties } = node as { properties?: Record<string, { description?: string; $ref?: string }> }
    const isRule = /\/(if|then|not|anyOf\/\d+|oneOf\/\d+|allOf\/\d+)$/.test(path) && !('additionalProperties' in node)
    for (const [name, field] of Object.entries(isRule ? {} : (properties ?? {}))) {
      if (!field.description && !field.$ref) missing.push(`${path}/${name}`)
    }
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`)
  }
})
