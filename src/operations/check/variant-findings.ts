import { quoteCode } from '../../lib/text/quote.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { testInArm } from '../../model/variant.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import type { ProbedTest } from './prober.ts'

/** A test as each variant of its suite asks it, or as it is. */
export function probedTests(suite: Suite, test: Test): readonly ProbedTest[] {
  if (!test.variants) return [{ suite, test }]
  return test.variants.map(({ name: variant }) => ({ suite, test: testInArm(test, { variant }), variant }))
}

/** What was found in a variant of a test; undefined in a test without variants. */
export interface VariantFindings {
  readonly variant: string | undefined
  readonly findings: readonly DiagnosticInput[]
}

/** Joins the findings of a test in its variants. Those that not all variants have name them. */
export function joinFindings(tried: readonly VariantFindings[], all = tried.length): DiagnosticInput[] {
  const joined = new Map<string, { readonly finding: DiagnosticInput; readonly variants: string[] }>()
  for (const { variant = '', findings } of tried) {
    for (const finding of findings) {
      const key = keyOf(finding)
      const known = joined.get(key) ?? { finding, variants: [] }
      known.variants.push(variant)
      joined.set(key, known)
    }
  }
  return [...joined.values()].map(({ finding, variants }) => {
    if (variants.length === all) return finding
    const names = variants.map(quoteCode).join(', ')
    return {
      ...finding,
      message: `in the ${variants.length === 1 ? 'variant' : 'variants'} ${names}, ${finding.message}`,
    }
  })
}

/** The same finding may have another score in another variant. */
function keyOf({ code, at, message }: DiagnosticInput): string {
  const { file, line, column } = 'location' in at ? at.location() : at
  return JSON.stringify([code, file, line, column, message.replace(/ \(score [\d.]+\)/, '')])
}
