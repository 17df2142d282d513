import { dump } from 'js-yaml'
import { expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { providers } from '../../src/providers/index.ts'
import { targetTypes } from '../../src/spec/targets.ts'
import { folderWith } from '../support/program.ts'

async function checkTarget(target: object) {
  const folder = folderWith({
    'targets.yaml': dump({ targets: [target] }),
    'skills/csv-report/SKILL.md': '',
    'plugins/data/SKILL.md': '',
    'fixtures/app/a': '',
  })
  return loadFiles([`${folder}/targets.yaml`], {
    host: nodeHost(folder),
    evaluators: [],
    targetTypes: targetTypes(providers),
  })
}

it.each(providers)(
  '$type: its examples have no diagnostics, and an unknown field is rejected',
  async ({ type, examples }) => {
    expect(examples, `add an example to the provider ${type}`).not.toEqual([])
    for (const { target } of examples) {
      expect((await checkTarget(target)).diagnostics).toEqual([])
      const { diagnostics } = await checkTarget({ ...target, no_such_field: 1 })
      expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-key'])
    }
  },
)
