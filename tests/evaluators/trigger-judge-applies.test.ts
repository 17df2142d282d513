import { describe, expect, it } from 'vitest'
import { appliesTo } from '../../src/model/applicability.ts'
import { loadCheck } from '../support/checks.ts'

/** Whether a check with these fields applies to a target with these skills. */
async function applies(fields: string, skills: readonly string[] | undefined, name = 'target'): Promise<boolean> {
  return appliesTo(await loadCheck(`{type: trigger_judge, ${fields}}`), { name, skills })
}

describe('trigger_judge', () => {
  it.each([
    ['skill: csv'],
    ['skill: csv, should_trigger: false'],
    ['skill: csv, negate: true'],
    ['skill: csv, required: true, match: substring'],
  ])('does not apply to a target without the skill: %s', async fields => {
    expect(await applies(fields, [])).toBe(false)
    expect(await applies(fields, ['pdf'])).toBe(false)
    expect(await applies(fields, ['pdf', 'csv'])).toBe(true)
  })

  it('applies to a target that may have any skills', async () => {
    expect(await applies('skill: csv', undefined)).toBe(true)
  })

  it('applies wherever the use of the skill would count', async () => {
    expect(await applies('skill: csv', ['csv-pro'])).toBe(false)
    expect(await applies('skill: csv, match: substring', ['csv-pro'])).toBe(true)
    expect(await applies('skill: csv', ['data:csv'])).toBe(true)
    expect(await applies('skill: skills/csv', ['csv'])).toBe(true)
    expect(await applies('skill: CSV', ['csv'])).toBe(false)
  })

  it('applies to the targets that it names, whatever skills they have', async () => {
    expect(await applies('skill: csv, applies_to: [target]', [])).toBe(true)
    expect(await applies('skill: csv, applies_to: [other]', ['csv'])).toBe(false)
  })
})
