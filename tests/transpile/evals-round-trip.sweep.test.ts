import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transpile } from '../../src/transpile/transpile.ts'
import { SENTENCE_CHECKS } from '../support/sentence-checks.ts'
import { evalsIn, evalsToSuite, loadSuite, transpileSuite } from '../support/transpile-suite.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')

/** Expects that EVAL.yaml → evals.json → EVAL.yaml → evals.json gives the same evals. */
async function expectStable(first: readonly string[], files: Record<string, string> = {}): Promise<void> {
  for (const evals of first) {
    const again = await transpileSuite(await evalsToSuite(evals), files)
    expect(evalsIn(again)).toEqual([evals])
  }
}

describe('a round trip through evals.json keeps the suite', () => {
  const suites = readdirSync(EXAMPLES)
    .flatMap(name => [join(EXAMPLES, name, 'EVAL.yaml'), join(EXAMPLES, name, 'evals/EVAL.yaml')])
    .filter(file => existsSync(file))

  it.each(suites.map(file => [file.slice(EXAMPLES.length + 1), file] as const))('examples/%s', async (_, file) => {
    const first = evalsIn(transpile(await loadSuite(file)))
    expect(first.length).toBeGreaterThan(0)
    // Input files are beside the suite.
    const paths = first.flatMap(text => JSON.parse(text).evals.flatMap(({ files = [] }: { files?: string[] }) => files))
    const files = paths.map((path: string) => {
      const place = join(file, '..', path)
      return [path.replace(/^\//, ''), existsSync(place) && statSync(place).isFile() ? readFileSync(place, 'utf8') : '']
    })
    await expectStable(first, Object.fromEntries(files))
  })

  const text = fc.oneof(
    fc.constantFrom(
      "it's",
      'a: b',
      '- x',
      '"q"',
      '{{x}}',
      '大 😀',
      'line\nbreak',
      'yes',
      '007',
      '1e3',
      '#',
      "Output contains 'x'",
    ),
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  )
  const visible = text.filter(value => /[^\s\p{C}]/u.test(value))
  const check = fc.constantFrom(
    ...Object.entries(SENTENCE_CHECKS).flatMap(([type, list]) =>
      // These need additional files or values.
      type === 'field_accuracy'
        ? []
        : list.filter(each => !/\.\/|judge\.mjs/.test(JSON.stringify(each))).map(each => ({ type, ...each })),
    ),
  )
  const generated = fc.oneof(
    check,
    visible.map(criteria => ({ type: 'rubrics', criteria })),
  )
  const label = fc.record({ skill: fc.constantFrom('csv', 'pdf reader', 'größe'), should_trigger: fc.boolean() })
  const test = fc.record({
    criteria: fc.option(visible, { nil: undefined }),
    prompt: visible,
    expected: fc.option(text, { nil: undefined }),
    checks: fc.array(generated, { maxLength: 4 }),
    labels: fc.uniqueArray(label, { maxLength: 2, selector: ({ skill }) => skill }),
  })
  const suite = fc.record({
    tests: fc.array(test, { minLength: 1, maxLength: 5 }),
    numbered: fc.boolean(),
    skill: fc.option(fc.constantFrom('csv', 'a skill'), { nil: undefined }),
    checks: fc.array(generated, { maxLength: 2 }),
  })

  it('200 random suites', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(suite, async ({ tests, numbered, skill, checks: shared }) => {
        const written = tests.map(({ criteria, prompt, expected, checks, labels }, index) => ({
          id: numbered ? 3 * index + 2 : `test ${index}`,
          // Every test needs a check, and answers are compared by criteria.
          criteria:
            checks.length + labels.length === 0 || [...shared, ...checks].some(({ type }) => type === 'pairwise')
              ? (criteria ?? 'Is good')
              : criteria,
          input: prompt,
          expected_output: expected,
          assert: [...labels.map(each => ({ type: 'trigger_judge', ...each })), ...checks].map(withoutNames),
        }))
        const metadata = { skill, runs_per_query: 3 }
        const transpiledFiles = await transpileSuite({
          name: 'some',
          metadata,
          mocks: { orders: { tools: { get: { returns: 1 } } } },
          assert: shared.map(withoutNames),
          tests: written,
        })
        await expectStable(evalsIn(transpiledFiles))
      }),
      { numRuns: 200 },
    )
  })
})

/** Removes names and ids, which must be unique within a test: the same check can be drawn twice. */
function withoutNames(check: object): object {
  const { name, ...rest } = check as { name?: string }
  return JSON.parse(JSON.stringify(rest, (key, value) => (key === 'id' ? undefined : value)))
}
