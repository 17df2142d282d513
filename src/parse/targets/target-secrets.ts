import { isAbsolute } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { createRedactor } from '../../lib/redaction/redactor.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import type { TargetType } from '../../spec/targets.ts'
import { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import type { RawTarget } from './extend-targets.ts'
import type { TargetContext } from './load-target.ts'
import { addFilledSecrets, addSecret, addWrittenSecrets, isSecret } from './secrets.ts'
import { fillText, fillVariables, type Variables } from './variables.ts'

/**
 * Collects the secrets of all targets, used or not: their lines can appear in code frames, and programs that answer or
 * judge can print any variable of the environment.
 */
export function collectSecrets(targets: readonly RawTarget[], context: Omit<TargetContext, 'diagnostics'>): void {
  const { types, variables, secrets } = context
  for (const { raw, at } of targets) {
    addWrittenSecrets(raw, secrets)
    // Problems are reported when the target is loaded.
    addFilledSecrets(fillVariables(raw, at, { variables, secrets, diagnostics: new Diagnostics() }), secrets)
  }
  for (const name of types.flatMap(({ provider }) => provider.service?.keyVariables ?? [])) {
    const value = variables(name)
    if (value !== undefined && isSecret(value, [name, 'api_key'])) addSecret(secrets, value, name)
  }
}

/** A name that appears in records. */
interface Name {
  readonly what: string
  readonly text: string
}

/** The targets of a file, with the variables that fill them in. */
export interface TargetsWithVariables {
  readonly targets: readonly RawTarget[]
  readonly variables: Variables
}

/** Removes secrets that are part of a name, with a warning: names are never redacted. */
export function dropNamedSecrets(
  secrets: Map<string, string>,
  names: Iterable<Name>,
  known: readonly TargetsWithVariables[],
  { diagnostics, types }: { readonly diagnostics: Diagnostics; readonly types: readonly TargetType[] },
): void {
  const all = [...names]
  // One test of all names is enough for most suites.
  const texts = all.map(({ text }) => text).join('\0')
  if (createRedactor(secrets).text(texts) === texts) return
  for (const [value, variable] of [...secrets]) {
    const { text } = createRedactor(new Map([[value, variable]]))
    const name = all.find(each => text(each.text) !== each.text)
    if (!name) continue
    secrets.delete(value)
    // A path passed to a program is not a secret.
    if (!isAbsolute(value)) report(value, variable, name)
  }

  function report(value: string, variable: string, { what, text }: Name): void {
    const at = locateSecret(value, variable, known, types)
    const is = text === value ? 'is also' : 'is part of'
    const message = `the value of ${quoteCode(variable)} ${is} the ${what} ${quoteCode(text)}, so it cannot be redacted`
    const hint = `if it is a secret, change the ${what} or the value; otherwise ignore this warning`
    if (at) diagnostics.add({ code: 'secret-is-a-name', at, message, hint })
  }
}

/** Yields the names of targets and their providers. */
export function* namesOfTargets(targets: readonly RawTarget[]): Generator<Name> {
  for (const { raw, name, at } of targets) {
    yield { what: 'file path', text: at.file }
    if (name !== undefined) yield { what: 'target name', text: name }
    const provider = isMapping(raw) ? raw['provider'] : undefined
    if (typeof provider === 'string') yield { what: 'provider', text: provider }
  }
}

/** Yields the names of a suite, its tests and their checks. */
export function* namesOfSuite(suite: Suite, tests: readonly Test[]): Generator<Name> {
  yield { what: 'file path', text: suite.file }
  yield { what: 'suite name', text: suite.name }
  for (const { id, conversation_id, tags, checks } of tests) {
    yield { what: 'test id', text: id }
    if (conversation_id !== undefined) yield { what: 'conversation id', text: conversation_id }
    for (const text of tags) yield { what: 'tag', text }
    for (const check of checks) yield* namesOfCheck(check)
  }
}

function* namesOfCheck(check: Check): Generator<Name> {
  yield { what: 'check name', text: check.name }
  yield { what: 'check type', text: check.evaluator.type }
  const skill = check.evaluator.trigger?.(check.config).skill
  if (skill !== undefined) yield { what: 'skill name', text: skill }
  for (const inner of nestedChecks(check)) yield* namesOfCheck(inner)
}

/** Locates a secret in a targets file, or the provider whose default variable contains it. */
function locateSecret(
  value: string,
  variable: string,
  known: readonly TargetsWithVariables[],
  types: readonly TargetType[],
): SourceNode | undefined {
  const using = types.filter(({ provider }) => provider.service?.keyVariables?.includes(variable))
  const isUsing = ({ raw }: RawTarget) =>
    using.some(({ provider }) => isMapping(raw) && raw['provider'] === provider.type)
  for (const { targets, variables } of known)
    for (const { raw, at } of targets) {
      const found = findNodeWith(value, raw, at, variables)
      if (found) return found
    }
  const targets = known.flatMap(each => each.targets)
  return (targets.find(isUsing) ?? targets[0])?.at.child('provider')
}

/** Finds the node of a targets file that contains a secret. Names do not count. */
function findNodeWith(secret: string, value: unknown, at: SourceNode, variables: Variables): SourceNode | undefined {
  if (typeof value === 'object' && value !== null) {
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    for (const [key, part] of entries) {
      const isName = key === 'name' || key === 'provider'
      const found = isName ? undefined : findNodeWith(secret, part, at.child(key), variables)
      if (found) return found
    }
    return undefined
  }
  const text = fillText(String(value), name => variables(name) ?? '')
  return text.includes(secret) ? at : undefined
}
