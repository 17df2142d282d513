// The files that are made from the schemas: what `npm run generate` writes, and what a test compares with.

import { CODES, type DiagnosticCode } from '../src/diagnostics/codes.ts'
import { evaluators } from '../src/evaluators/index.ts'
import { schemas } from '../src/operations/schemas.ts'
import { providers } from '../src/providers/index.ts'
import { configJsonSchema, evalJsonSchema, targetsJsonSchema } from '../src/spec/json-schema.ts'
import { configPage } from './reference/config-page.ts'
import { diagnosticPage, goldenDiagnostics } from './reference/diagnostic-page.ts'
import { evaluatorPage } from './reference/evaluator-page.ts'
import { indexPage } from './reference/index-page.ts'
import { languagePage } from './reference/language-page.ts'
import { targetsPage } from './reference/targets-page.ts'

/** Every generated file by its path. */
export function generatedFiles(): Map<string, string> {
  const evalSchema = evalJsonSchema(evaluators)
  const golden = goldenDiagnostics()
  const codes = Object.keys(CODES) as DiagnosticCode[]
  return new Map([
    ['schema/eval.schema.json', schemas.eval()],
    ['schema/targets.schema.json', schemas.targets()],
    ['schema/config.schema.json', schemas.config()],
    ['schema/answer.schema.json', schemas.answer()],
    ['schema/result.schema.json', schemas.result()],
    ['schema/judge-input.schema.json', schemas['judge-input']()],
    ['schema/judge-output.schema.json', schemas['judge-output']()],
    ['docs/reference/README.md', indexPage(evaluators, codes)],
    ['docs/reference/language.md', languagePage(evalSchema)],
    ['docs/reference/targets.md', targetsPage(providers, targetsJsonSchema(providers))],
    ['docs/reference/config.md', configPage(configJsonSchema())],
    ...evaluators.map((evaluator): [string, string] => [
      `docs/reference/evaluators/${evaluator.type}.md`,
      evaluatorPage(evaluator, evalSchema),
    ]),
    ...codes.map((code): [string, string] => [`docs/reference/diagnostics/${code}.md`, diagnosticPage(code, golden)]),
  ])
}
