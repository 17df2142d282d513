import { quoteCode } from '../../lib/text/quote.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { armNamesFor } from './arm-names.ts'
import { type Answering, reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

const KEYS = ['setup', 'teardown'] as const

/** Reports `setup` and `teardown` of tests and suites on targets without a workspace, in which they would run. */
export async function reportCommandsWithoutWorkspace(
  answering: Answering,
  context: SuiteTargetsContext,
): Promise<void> {
  // Recorded answers need no workspace.
  if (context.options.standIn) return
  const { suite, tests } = context
  const reported = new Set<string>()
  for (const test of tests.filter(test => hasCommands(test) || hasCommands(suite))) {
    for (const { key, owner, target } of unusable(test, answering, context)) {
      const place = JSON.stringify([owner === test ? test.id : '', key, target.name])
      if (!reported.has(place)) await reportMissingWorkspace(key, owner.at.child('execution', key), target, context)
      reported.add(place)
    }
  }
}

function hasCommands({ execution: { setup, teardown } }: Test | Suite): boolean {
  return setup !== undefined || teardown !== undefined
}

/** The commands of a test or its suite that a target of the test has no workspace for. */
function unusable(test: Test, answering: Answering, { suite, options }: SuiteTargetsContext) {
  const targets = armNamesFor(suite, test, options).flatMap(({ name }) => answering.get(name) ?? [])
  const without = targets.filter(target => !target.provider.execution?.isLocal && !hasWorkspace(target))
  return KEYS.flatMap(key => {
    const owner = [test, suite].find(({ execution }) => execution[key] !== undefined)
    return owner ? without.map(target => ({ key, owner, target })) : []
  })
}

function hasWorkspace({ provider, config }: Target): boolean {
  return provider.files?.workspace?.(config) !== undefined
}

async function reportMissingWorkspace(
  key: (typeof KEYS)[number],
  at: Origin,
  { name, provider }: Target,
  context: SuiteTargetsContext,
): Promise<void> {
  const message = `\`${key}\` runs in a workspace, but the target ${quoteCode(name)} has none`
  const hint = provider.files?.workspace
    ? `add \`workspace: DIR\` to the target, or remove \`${key}\``
    : `targets of type \`${provider.type}\` have no workspace: choose another target for this test, or remove \`${key}\``
  await reportOn({ code: 'no-workspace', at, message, hint }, context)
}
