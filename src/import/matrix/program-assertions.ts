import { basename, extname } from 'node:path'
import type { Origin } from '../../model/location.ts'
import type { Fields } from '../fields.ts'
import type { Assertion, AssertionContext, ConvertAssertion, ConvertedCheck } from './assertion-context.ts'
import { literal } from './fill-variables.ts'
import type { Language } from './programs.ts'

/** Assertions that are programs, by type. */
export const PROGRAM_ASSERTIONS: Readonly<Record<string, ConvertAssertion>> = {
  javascript: (assertion, context) => programCheck('javascript', assertion, context),
  python: (assertion, context) => programCheck('python', assertion, context),
}

/** Converts an assertion whose value is a file with a function; undefined if the file is not such a program. */
export function fileAssertion(assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const reference = assertion.value?.value
  const language = typeof reference === 'string' ? languageOf(reference) : undefined
  return language && programCheck(language, assertion, context)
}

/** The language of a program that a `file://` reference names; undefined for other files and for texts. */
export function languageOf(reference: string): Language | undefined {
  const [, extension] = /^file:\/\/.*\.(?:(py)|[cm]?[jt]s)(?::\w+)?$/s.exec(reference) ?? [undefined, null]
  if (extension === null) return undefined
  return extension === 'py' ? 'python' : 'javascript'
}

function programCheck(language: Language, assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const { value, written, threshold } = assertion
  const text = value?.value
  if (typeof text !== 'string') return undefined
  const config = written.get('config')?.value
  const settings = {
    ...(threshold === undefined ? {} : { threshold }),
    ...(config ? { settings: literal(config) } : {}),
  }
  if (!text.startsWith('file://')) return runnerCheck(language, { code: context.fill(text), ...settings }, context)
  const program = programFile(text, (value ?? written).at, context)
  if (!program) return undefined
  const { file } = program
  return { ...runnerCheck(language, { ...program, ...settings }, context), name: basename(file, extname(file)) }
}

/** The file of a program, as runners take it, and the function in it; undefined, with a note, if it is not in the project. */
export function programFile(
  reference: string,
  at: Origin,
  { files, output, notes }: AssertionContext,
): { readonly file: string; readonly function?: string } | undefined {
  const [, path = '', name] = /^(.*?)(?::(\w+))?$/s.exec(reference.slice('file://'.length)) ?? []
  const file = files.resolve(path, at.file)
  if (!files.isInside(file)) {
    notes.leftOut(at, 'the file is outside of the project')
    return undefined
  }
  if (/\.[cm]?ts$/.test(extname(file)))
    notes.approximated(at, 'a program in TypeScript needs a version of Node that runs it: 22.18 or later')
  return { file: files.pathFrom(output, file), ...(name ? { function: name } : {}) }
}

/** A check that evaluates an expression or a function body. */
export function javascriptCheck(config: Fields & { readonly code: string }, context: AssertionContext): ConvertedCheck {
  return runnerCheck('javascript', config, context)
}

function runnerCheck(
  language: Language,
  config: Readonly<Record<string, unknown>>,
  { programs, vars, isScored }: AssertionContext,
): Fields & { readonly type: string } {
  const usesVars = !('code' in config) || /\bvars\b/.test(String(config['code']))
  return {
    type: 'code_judge',
    script: [...programs.runner(language)],
    config: {
      ...config,
      ...(usesVars && Object.keys(vars).length > 0 ? { vars: literal(vars) } : {}),
      ...(isScored ? { counts: 'score' } : {}),
    },
  }
}
