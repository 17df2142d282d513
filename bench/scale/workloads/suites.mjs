import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSuiteOf } from '../../suite.mjs'
import { assay } from '../step.mjs'
import { writeMock } from '../targets.mjs'

const TESTS = 10

export const suites = [
  {
    name: 'suites: a folder of them, 10 tests each',
    unit: 'suites',
    least: 1,
    sizes: [10, 100, 1_000],
    steps(home, count) {
      writeMock(home)
      for (let index = 0; index < count; index++) {
        const folder = join(home, 'evals', `suite-${index}`)
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'EVAL.yaml'), runSuiteOf(TESTS).replace('many-tests', `suite-${index}`))
      }
      return [
        assay('validate', 'validate', 'evals'),
        assay('list', 'list', 'evals'),
        assay('eval', 'eval', 'evals', '--quiet'),
        assay('resume of a finished run', 'eval', 'evals', '--quiet', '--resume'),
        assay('report html', 'report', 'latest', '-o', 'out.html'),
      ]
    },
  },
]
