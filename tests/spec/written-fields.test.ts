import { expect, it } from 'vitest'
import * as z from 'zod'
import { writtenSuiteFields } from '../../src/spec/suite.ts'
import { writtenTestFields } from '../../src/spec/test.ts'

/** The keys without which a mapping is invalid. A sparse object makes no schema of the others where they are missing. */
function requiredOf(fields: Readonly<Record<string, () => z.ZodType>>): string[] {
  return Object.entries(fields).flatMap(([key, make]) => (make().safeParse(undefined).success ? [] : [key]))
}

it('a suite needs no key, and a test needs an id and an input', () => {
  expect(requiredOf(writtenSuiteFields(z.any(), z.any()))).toEqual([])
  expect(requiredOf(writtenTestFields(z.any()))).toEqual(['id', 'input'])
})
