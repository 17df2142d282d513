import { expect, it } from 'vitest'
import { renderText } from '../../../src/diagnostics/render/text.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { planRun } from '../../../src/operations/evaluate.ts'
import { providers } from '../../../src/providers/index.ts'
import { suiteWith } from '../../support/evaluation.ts'
import { folderWith } from '../../support/program.ts'

it.each([
  ['that is not used', 'default', '  - nam: wrong\n    name: default\n    provider: mock\n    response: ok\n'],
  ['that has errors itself', 'other', '    base_url: ${{ NOT_SET_ANYWHERE }}\n'],
])('redacts a literal secret of a target %s in code frames', async (_, target, next) => {
  const targets = `targets:\n  - name: other\n    provider: openai\n    model: m\n    api_key: sk-WrittenOut42\n${next}`
  const cwd = folderWith({ 'EVAL.yaml': suiteWith([{ id: 'a', input: 'Hi' }]), 'targets.yaml': targets })
  const { diagnostics, redactor } = await planRun(
    { paths: ['.'], targets: [target] },
    { host: nodeHost(cwd), evaluators, providers },
  )
  const text = diagnostics.map(diagnostic => renderText(diagnostic, 'targets.yaml')).join('')
  expect(text).toContain('5 |     api_key: sk-WrittenOut42')
  expect(redactor.text(text)).toContain('5 |     api_key: [api_key]')
})
