import { expect, it } from 'vitest'
import { diagnosticPage, goldenDiagnostics } from '../../scripts/reference/diagnostic-page.ts'
import { folderWith } from '../support/program.ts'

const GOLDEN = 'EVAL.yaml:1:1 error unknown-key\n  unknown key `nmae`\n\nEVAL.yaml:9:1 error unknown-key\n  short\n'

it('quotes the shortest diagnostic of the corpus', () => {
  const golden = goldenDiagnostics(folderWith({ 'one/diagnostics.txt': GOLDEN }))
  expect(diagnosticPage('unknown-key', golden)).toContain('```text\nEVAL.yaml:9:1 error unknown-key\n  short\n```')
})

it('fails for a code without a case', () => {
  expect(() => diagnosticPage('no-name', [GOLDEN])).toThrow('no case in tests/corpus/invalid shows no-name')
})

it('names the command that writes a missing diagnostics.txt', () => {
  expect(() => goldenDiagnostics(folderWith({ 'new/EVAL.yaml': '' }))).toThrow(
    'tests/corpus/invalid/new has no diagnostics.txt: run `npx vitest run tests/conformance -u`',
  )
})
