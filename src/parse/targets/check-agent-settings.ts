import { quoteCode } from '../../lib/text/quote.ts'
import { type AgentSetting, type AgentSettings, agentSettingsOf } from '../../model/agent-settings.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { armNamesFor } from './arm-names.ts'
import { type Answering, reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

/** Reports settings of `execution.agent` that a target of their tests does not support, each once. */
export async function reportUnsupportedSettings(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  const { suite, tests, options } = context
  // Recorded answers are not asked again.
  if (options.standIn) return
  const reported = new Map<Suite | Test, Set<string>>()
  for (const test of tests) {
    if (!agentSettingsOf(suite, test)) continue
    for (const { name } of armNamesFor(suite, test, options)) {
      const target = answering.get(name)
      if (!target || target.provider.execution?.isLocal) continue
      for (const { key, owner } of unsupported(suite, test, target)) {
        const known = reported.get(owner) ?? new Set()
        if (!known.has(`${key} ${name}`)) await reportSetting(key, owner, target, context)
        reported.set(owner, known.add(`${key} ${name}`))
      }
    }
  }
}

/** The settings that a target does not support, and where they are written. */
function unsupported(suite: Suite, test: Test, { provider }: Target) {
  return [test, suite].flatMap(owner =>
    settingsIn(owner.execution.agent)
      .filter(key => !provider.agentSettings?.includes(key))
      .map(key => ({ key, owner })),
  )
}

function settingsIn(settings: AgentSettings = {}): AgentSetting[] {
  return (Object.keys(settings) as AgentSetting[]).filter(key => settings[key] !== undefined)
}

async function reportSetting(
  key: AgentSetting,
  { at }: Suite | Test,
  { name, provider }: Target,
  context: SuiteTargetsContext,
): Promise<void> {
  const able = context.options.types.flatMap(({ provider: { type, agentSettings } }) =>
    agentSettings?.includes(key) ? [quoteCode(type)] : [],
  )
  const message = `the target ${quoteCode(name)} (${provider.type}) does not support \`execution.agent.${key}\``
  const hint = `remove it, or choose a target with the provider ${able.join(' or ')}`
  await reportOn({ code: 'unsupported-setting', at: at.child('execution', 'agent', key), message, hint }, context)
}
