import type * as z from 'zod'

/** Whether a value passes. False also means "unknown". */
type Test = (value: unknown) => boolean

type Schema = z.core.$ZodTypes
type Check = z.core.$ZodChecks | z.core.$ZodCustom

const tests = new WeakMap<z.core.$ZodType, Test>()

/**
 * Whether a schema accepts a JSON value and would return an equal one, keys in any order. A quick "yes" without a copy,
 * for schemas that most of many values fit; "no" may only mean that this file does not know a part of the schema, so that
 * the schema itself has to decide.
 */
export function acceptsAsIs(schema: z.core.$ZodType, value: unknown): boolean {
  return testOf(schema)(value)
}

function testOf(schema: z.core.$ZodType): Test {
  const known = tests.get(schema)
  if (known) return known
  // A schema may contain itself.
  let made: Test = never
  tests.set(schema, value => made(value))
  made = allOf([typeTest(schema as Schema), ...checksOf(schema as Schema).map(checkTest)])
  tests.set(schema, made)
  return made
}

const never: Test = () => false

function allOf([first = never, ...others]: readonly Test[]): Test {
  if (others.length === 0) return first
  return value => first(value) && others.every(test => test(value))
}

/** The checks of a schema; a format, such as that of an integer, is one of its own. */
function checksOf(schema: Schema): readonly Check[] {
  const { def } = schema._zod
  const own = 'check' in def ? [schema as unknown as Check] : []
  return [...own, ...((def.checks ?? []) as readonly unknown[] as readonly Check[])]
}

/** Types that may replace a value, such as `default`, `transform` and `readonly`, are not here on purpose. */
function typeTest(schema: Schema): Test {
  const { def } = schema._zod
  switch (def.type) {
    case 'string':
      return def.coerce ? never : value => typeof value === 'string'
    case 'number':
      return def.coerce ? never : Number.isFinite
    case 'boolean':
      return def.coerce ? never : value => typeof value === 'boolean'
    case 'unknown':
      return () => true
    case 'literal':
      return oneOf(def.values)
    case 'enum':
      return oneOf(Object.values(def.entries))
    case 'nullable':
      return orNull(testOf(def.innerType))
    case 'optional':
      return testOf(def.innerType)
    case 'array':
      return arrayTest(testOf(def.element))
    case 'tuple':
      return def.rest ? never : tupleTest(def.items.map(testOf))
    case 'record':
      return recordTest(def)
    case 'object':
      return objectTest(def)
    default:
      return never
  }
}

function checkTest(check: Check): Test {
  const { def } = check._zod
  switch (def.check) {
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : never
    case 'greater_than':
      return rangeTest(def.value, (value, least) => (def.inclusive ? value >= least : value > least))
    case 'less_than':
      return rangeTest(def.value, (value, most) => (def.inclusive ? value <= most : value < most))
    case 'min_length':
      return value => (value as string | readonly unknown[]).length >= def.minimum
    case 'custom':
      return refinement(def.fn)
    default:
      return never
  }
}

function rangeTest(limit: unknown, isWithin: (value: number, limit: number) => boolean): Test {
  return typeof limit === 'number' ? value => isWithin(value as number, limit) : never
}

/** The function of a `refine`. A promise is not `true`. */
function refinement(accepts: ((value: unknown) => unknown) | undefined): Test {
  return accepts ? value => accepts(value) === true : never
}

function oneOf(values: Iterable<unknown>): Test {
  const all = new Set(values)
  return value => all.has(value)
}

function orNull(test: Test): Test {
  return value => value === null || test(value)
}

function arrayTest(test: Test): Test {
  return value => {
    if (!Array.isArray(value)) return false
    for (const item of value) if (!test(item)) return false
    return true
  }
}

function tupleTest(items: readonly Test[]): Test {
  return value =>
    Array.isArray(value) && value.length === items.length && items.every((test, index) => test(value[index]))
}

/** Only of any keys: zod drops `__proto__`. */
function recordTest({ keyType, valueType }: z.core.$ZodRecordDef): Test {
  const key = keyType as Schema
  if (key._zod.def.type !== 'string' || checksOf(key).length > 0) return never
  const test = testOf(valueType)
  return value => {
    if (!isObject(value)) return false
    for (const name in value) if (name === '__proto__' || !test(value[name])) return false
    return true
  }
}

/** Only of no further keys: of those, an object without a `catchall` loses some, and a loose one keeps all. */
function objectTest({ shape, catchall }: z.core.$ZodObjectDef): Test {
  if (catchall?._zod.def.type !== 'never') return never
  const fields = new Map(
    Object.entries(shape).map(([name, field]) => [name, { test: testOf(field), isRequired: !isOmittable(field) }]),
  )
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length
  return value => {
    if (!isObject(value)) return false
    let missing = required
    for (const name in value) {
      const field = fields.get(name)
      if (!field?.test(value[name])) return false
      if (field.isRequired) missing--
    }
    return missing === 0
  }
}

/** Whether a field may be absent and is then absent in what the schema returns. */
function isOmittable({ _zod: { optin, optout } }: z.core.$ZodType): boolean {
  return optin === 'optional' && optout === 'optional'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
