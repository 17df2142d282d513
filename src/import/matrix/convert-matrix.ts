import { basename, dirname, extname } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { ImportContext, ImportedSuite } from '../format.ts'
import type { Written } from '../written.ts'
import type { Fields } from './assertion-context.ts'
import { convertTests } from './convert-tests.ts'
import type { MatrixDialect } from './dialect.ts'
import { literal, withLiterals } from './fill-variables.ts'
import { readTests } from './matrix-tests.ts'
import { Programs } from './programs.ts'
import { readPrompts } from './prompts.ts'
import { convertProviders } from './providers.ts'

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
  const prompts = await readPrompts(config.get('prompts'), context)
  const tests = await readTests(config, context)
  if (prompts.length > 1 && tests.length > 0)
    notes.approximated(config.at.child('prompts'), 'several prompts: each test is written once for each of them', 'key')
  const programs = new Programs()
  const defaults = await readDefaults(config, dialect, context)
  const written = { config, defaults, prompts, tests, programs, dialect }
  const { checks, tests: converted, hasVariables } = await convertTests(written, context)
  if (converted.length === 0 && tests.length === 0) notes.leftOut(config.at, 'a configuration without tests')
  const { execution, ...fields } = dialect.suiteFields?.(config, context) ?? {}
  const names = targets.map(({ name }) => name)
  const run = { ...targetFields(names), ...trialFields(config), ...(execution as Fields | undefined) }
  const suite = withoutNullish({
    name: suiteName(config),
    description: config.get('description')?.text()?.slice(0, 2000),
    ...fields,
    execution: Object.keys(run).length === 0 ? undefined : run,
    assert: checks.length === 0 ? undefined : checks,
  })
  return {
    suite: withLiterals({ ...suite, ...escapedTexts(suite) }, hasVariables),
    tests: converted.map(({ fields, at }) => ({ fields: withLiterals(fields, hasVariables), at })),
    targets,
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

function targetFields(names: readonly unknown[]): Fields {
  if (names.length === 0) return {}
  return names.length === 1 ? { target: names[0] } : { targets: names }
}

function trialFields(config: Written): Fields {
  const repeat = config.get('evaluateOptions', 'evaluate_options')?.get('repeat')?.number()
  return repeat !== undefined && repeat > 1 && repeat <= 100 ? { trials: repeat } : {}
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
