import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aligningProject, GOOD, proposing, readPrompt } from '../../support/aligning.ts'

const suite = { vars: { word: 'planted-value', tone: 'courteous' } }

/** The proposed text, with a variable that is text for the judge. */
const WITH_LITERAL = `${GOOD}Never mention \\{{word}}.\n`

describe('assay calibrate --align in a suite with variables', () => {
  it('neither fills in nor removes templates of a prompt file', async () => {
    const project = await aligningProject({
      suite,
      proposes: () => proposing(`${GOOD} {{word}}`, WITH_LITERAL),
    })
    const { code, data, stderr } = await project.aligned('--proposals', '2')
    expect(code, stderr).toBe(0)
    expect(data.result.candidate.wording.text).toBe(WITH_LITERAL)
    const asked = project.asked('judge')
    expect(asked.some(body => body.includes('Never mention {{word}}.'))).toBe(true)
    expect(asked.join()).not.toContain('planted-value')
    await project.align('--apply')
    expect(readPrompt(project)).toBe(WITH_LITERAL)
  })

  it.each([
    ['a prompt', { prompt: 'Is the answer {{tone}}? {{question}} {{answer}}' }, '{{tone}}'],
    [
      'items',
      {
        rubrics: [
          { id: 'rule-1', outcome: 'Is {{ tone }}' },
          { id: 'rule-2', outcome: 'No {{word}}' },
        ],
      },
      '{{ tone }}, {{word}}',
    ],
  ])('refuses %s with variables of tests, whose values a proposal would have', async (_, check, names) => {
    const project = await aligningProject({ suite, check, proposes: () => proposing(GOOD) })
    const { code, stderr } = await project.align()
    expect(code).toBe(2)
    expect(stderr).toContain(`has variables of tests (${names}), which a proposed text would lose`)
    expect(project.asked('proposer')).toEqual([])
    expect(existsSync(join(project.folder, '.assay/calibration'))).toBe(false)
  })
})
