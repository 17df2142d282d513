import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assayAsNobody, folderWith } from '../../support/program.ts'

// As the issue that asked for this has it.
const SUITE = `tests:
  - id: csv-top-months
    criteria: Agent finds the top 3 months by revenue
    input:
      - role: user
        content:
          - type: file
            value: evals/files/sales.csv
          - type: text
            value: "I have a CSV of monthly sales data. Find the top 3 months by revenue."
    expected_output: "The top 3 months by revenue are November ($22,500), September ($20,100), and December ($19,400)."
    assert:
      - type: trigger-judge
        skill: csv-analyzer
        should_trigger: true
      - type: rubrics
        criteria: "Output identifies November as the highest revenue month"
      - type: contains
        value: "$22,500"

  - id: irrelevant-query
    criteria: Agent does not invoke csv-analyzer for an unrelated query
    input: "What time is it?"
    assert:
      - type: trigger-judge
        skill: csv-analyzer
        should_trigger: false
`

describe('what stands in the way is said, and nothing is half-written', () => {
  const SUITE_FILES = { 'EVAL.yaml': SUITE, 'evals/files/sales.csv': '' }
  it('a folder that may only be read', async () => {
    const cwd = folderWith(SUITE_FILES)
    mkdirSync(join(cwd, 'out'))
    chmodSync(join(cwd, 'out'), 0o555)
    chmodSync(cwd, 0o755)
    const { code, stderr } = await assayAsNobody(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd })
    expect({ code, said: /Cannot write out\/evals\.json: EACCES/.test(stderr) }, stderr).toEqual({
      code: 2,
      said: true,
    })
    expect(readdirSync(join(cwd, 'out'))).toEqual([])
  })
})
