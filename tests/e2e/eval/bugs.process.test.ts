import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { assay } from '../../support/program.ts'
import { mockTargets, recordsOf, suiteFolder, verdictsOf, wordTest } from '../../support/runs.ts'

describe('a bug in assay', () => {
  const suite = {
    name: 'bugs',
    tests: [wordTest('before', 'yes', 'yes'), wordTest('unlucky', 'yes', 'MAGIC'), wordTest('after', 'yes', 'yes')],
  }
  const broken = `const includes = String.prototype.includes
String.prototype.includes = function (text, ...rest) {
  if (text === 'MAGIC') throw new TypeError('broken on purpose')
  return includes.call(this, text, ...rest)
}
`
  const targets = mockTargets(['yes', 'yes'], ['slow', `${'a'.repeat(40)}b`])
  const cwd = suiteFolder(suite, targets, { 'break.mjs': broken })
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, 'break.mjs')).href}` }

  it('exits with 70, and the other tests run', async () => {
    const { code, stderr } = await assay(['eval'], { cwd, env })
    expect(code).toBe(70)
    const results = recordsOf(cwd)
    expect(verdictsOf(results)).toEqual({ before: 'pass', unlucky: 'error', after: 'pass' })
    expect(results.find(({ test_id }) => test_id === 'unlucky')).toMatchObject({
      score: null,
      answer: 'yes',
      error: { code: 'bug', stage: 'grade' },
      evaluator_results: [{ score: null, passed: false, error: { code: 'bug' } }],
    })
    expect(stderr).toContain('TypeError: broken on purpose')
  })

  it('is reported as a bug, with instructions', async () => {
    const { stderr } = await assay(['eval', '--test-id', 'unlucky'], { cwd, env })
    expect(stderr).toContain(`bug in assay ${manifest.version}`)
    expect(stderr).toContain('report')
  })

  it('is not hidden by an error of another check', async () => {
    const hidden = {
      name: 'hidden',
      tests: [
        {
          ...wordTest('slow', 'slow', 'x'),
          assert: [
            { type: 'regex', value: '(a+)+$', flags: 'i' },
            { type: 'contains', value: 'MAGIC' },
          ],
        },
      ],
    }
    const folder = suiteFolder(hidden, targets)
    const { code } = await assay(['eval'], { cwd: folder, env })
    const codes = recordsOf(folder).flatMap(({ evaluator_results }) =>
      evaluator_results.map(({ error }) => error?.code),
    )
    expect(codes).toEqual(['regex-too-slow', 'bug'])
    expect(code).toBe(70)
  })
})
