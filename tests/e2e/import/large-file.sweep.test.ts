import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

const COUNT = 100_000

it('imports 100,000 lines of tests within a limit of memory', async () => {
  const lines = Array.from({ length: COUNT }, (_, index) =>
    JSON.stringify({ vars: { text: `line ${index}` }, assert: [{ type: 'contains', value: `line ${index}` }] }),
  )
  const cwd = folderWith({
    'package.json': '{}',
    'promptfooconfig.yaml': 'prompts: ["Echo {{text}}"]\nproviders: [echo]\ntests: file://tests.jsonl\n',
    'tests.jsonl': `${lines.join('\n')}\n`,
  })
  expect(existsSync(PROGRAM)).toBe(true)
  const args = ['--max-old-space-size=2048', PROGRAM, 'import', 'promptfooconfig.yaml']
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${COUNT} tests carried over, 0 approximated, 0 left out`)
  const rows = readFileSync(join(cwd, 'rows/promptfooconfig-tests.jsonl'), 'utf8').trimEnd().split('\n')
  expect(rows).toHaveLength(COUNT)
  expect(JSON.parse(rows.at(-1) ?? '')).toEqual({ id: String(COUNT), text: 'line 99999' })
})
