import { z } from 'zod'

/** The part of JUnit XML that CI systems read, as a schema of parsed elements. */
const count = z.string().regex(/^\d+$/)
const time = z.string().regex(/^\d+\.\d{3}(\d{3})?$/)
const counts = { tests: count, failures: count, errors: count, skipped: count }
const blank = z.string().regex(/^\s*$/)

const problem = (tag: 'failure' | 'error') =>
  z.strictObject({
    tag: z.literal(tag),
    attributes: z.strictObject({ message: z.string(), type: z.string() }),
    text: z.string(),
    children: z.tuple([]),
  })

const skipped = z.strictObject({
  tag: z.literal('skipped'),
  attributes: z.strictObject({ message: z.string().optional() }),
  text: z.literal(''),
  children: z.tuple([]),
})

const testcase = z.strictObject({
  tag: z.literal('testcase'),
  attributes: z.strictObject({
    name: z.string().min(1),
    classname: z.string().min(1),
    file: z.string().optional(),
    line: count.optional(),
    time: time.optional(),
  }),
  text: blank,
  children: z.array(z.discriminatedUnion('tag', [problem('failure'), problem('error'), skipped])).max(1),
})

const property = z.strictObject({
  tag: z.literal('property'),
  attributes: z.strictObject({ name: z.string().min(1), value: z.string() }),
  text: z.literal(''),
  children: z.tuple([]),
})

const properties = z.strictObject({
  tag: z.literal('properties'),
  attributes: z.strictObject({}),
  text: blank,
  children: z.array(property).min(1),
})

const testsuite = z.strictObject({
  tag: z.literal('testsuite'),
  attributes: z.strictObject({
    name: z.string().min(1),
    ...counts,
    time: time.optional(),
    timestamp: z.string().optional(),
  }),
  text: blank,
  children: z
    .array(z.discriminatedUnion('tag', [properties, testcase]))
    .refine(children => children.slice(1).every(({ tag }) => tag === 'testcase'), 'properties come first'),
})

export const junitSchema = z.strictObject({
  tag: z.literal('testsuites'),
  attributes: z.strictObject({ name: z.string(), ...counts, time: time.optional() }),
  text: blank,
  children: z.array(testsuite),
})

export type JunitDocument = z.output<typeof junitSchema>
type JunitSuite = JunitDocument['children'][number]
type JunitCase = z.output<typeof testcase>

/** The cases of a suite, without its properties. */
export function casesIn({ children }: JunitSuite): JunitCase[] {
  return children.filter(child => child.tag === 'testcase')
}

/** Checks that the counts match the elements. */
export function wrongCounts({ attributes, children }: JunitDocument): string[] {
  const cases = children.flatMap(casesIn)
  return [
    ...children.flatMap(suite => wrongIn(`suite ${suite.attributes.name}`, suite.attributes, casesIn(suite))),
    ...wrongIn('document', attributes, cases),
  ]
}

function wrongIn(where: string, said: Record<keyof typeof counts, string>, cases: readonly JunitCase[]): string[] {
  const having = (tag: string) => cases.filter(({ children }) => children.some(child => child.tag === tag)).length
  const found = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  }
  return Object.entries(found).flatMap(([name, number]) =>
    said[name as keyof typeof counts] === String(number) ? [] : [`${where}: ${name} is not ${number}`],
  )
}
