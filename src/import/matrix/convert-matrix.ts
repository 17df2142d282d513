import { basename, dirname, extname } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext, ImportedSuite } from '../format.ts'
import type { Written } from '../written.ts'
import { armNames, distinctFrom } from './arms.ts'
import { convertTests } from './convert-tests.ts'
import type { MatrixDialect } from './dialect.ts'
import { literal, withLiterals } from './fill-variables.ts'
import { GraderTargets } from './graders.ts'
import { readTests } from './matrix-tests.ts'
import { Programs } from './programs.ts'
import { readPrompts } from './prompts.ts'
import { convertProviders } from './providers.ts'
import { targetFields, trialsOf } from './test-fields.ts'

/** Converts a configuration of prompts × providers × tests into a suite with variables. */
export async function convertMatrix(
  config: Written,
  dialect: MatrixDialect,
  context: ImportContext,
): Promise<ImportedSuite> {
  const { notes } = context
  noteUnknownKeys(config, dialect, context)
  const targets = await (dialect.targets?.(config, context) ??
    convertProviders(config.get('providers', 'targets'), context))
  const before = notes.mark()
  const prompts = distinctFrom(targets, await readPrompts(config.get('prompts'), context))
  const lost_prompts = notes.hasLossSince(before)
  const tests = await readTests(config, context)
  const programs = new Programs()
  const graders = new GraderTargets(targets)
  const defaults = await readDefaults(config, dialect, context)
  const matrix = { config, defaults, targets, prompts, lost_prompts, tests, programs, graders, dialect }
  const { variants, checks, tests: converted, has_variables } = await convertTests(matrix, context)
  if (converted.length === 0 && tests.length === 0) notes.leftOut(config.at, 'a configuration without tests')
  const { execution, ...fields } = dialect.suiteFields?.(config, context) ?? {}
  const names = armNames({ targets, prompts, are_variants: variants.length > 0 })
  const trials = trialsOf(config.get('evaluateOptions', 'evaluate_options'))
  const run = withoutNullish({ ...targetFields(names), trials, ...(execution as Fields | undefined) })
  const suite = withoutNullish({
    name: suiteName(config),
    description: config.get('description')?.text()?.slice(0, 2000),
    ...fields,
    execution: Object.keys(run).length === 0 ? undefined : run,
    variants: variants.length === 0 ? undefined : variants,
    assert: checks.length === 0 ? undefined : checks,
  })
  return {
    suite: withLiterals({ ...suite, ...escapedTexts(suite) }, has_variables),
    tests: converted.map(test => ({ ...test, fields: withLiterals(test.fields, has_variables) })),
    targets: [...targets.map(target => target.fields), ...graders.targets],
    programs: programs.files,
  }
}

/** The description is no template. */
function escapedTexts({ description }: { readonly description?: unknown }): Fields {
  return description === undefined ? {} : { description: literal(description) }
}

function suiteName(config: Written): string {
  const { file } = config.at
  const stem = basename(file, extname(file)).replace(/\.eval$/i, '')
  const isCommon = /^(?:promptfooconfig|eval|suite|dataset)$/i.test(stem)
  const text = config.get('name')?.text() ?? (isCommon ? basename(dirname(file)) : stem)
  return suiteNameOf(text, 'imported')
}

async function readDefaults(
  config: Written,
  dialect: MatrixDialect,
  context: ImportContext,
): Promise<Written | undefined> {
  const defaults = dialect.defaults(config)
  return defaults && context.files.content(defaults, context.notes)
}

function noteUnknownKeys(config: Written, { knownKeys }: MatrixDialect, { notes }: ImportContext): void {
  for (const [key, value] of config.entries())
    if (!knownKeys.includes(key) && !key.startsWith('$')) notes.leftOut(value.at, `the key ${quoteCode(key)}`, 'key')
}
