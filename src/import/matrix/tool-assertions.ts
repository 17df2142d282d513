import type { Written } from '../written.ts'
import type { Assertion, AssertionContext, ConvertAssertion, ConvertedCheck } from './assertion-context.ts'

/** Assertions about tools and skills, by type. */
export const TOOL_ASSERTIONS: Readonly<Record<string, ConvertAssertion>> = {
  'trajectory:tool-used': toolUsed,
  'trajectory:tool-sequence': toolSequence,
  'trajectory:tool-args-match': toolArguments,
  'skill-used': skillUsed,
}

function toolUsed({ value }: Assertion): ConvertedCheck {
  const names = value && !value.isMapping() ? value.list().map(item => item.text()) : [value?.get('name')?.text()]
  const [tool, ...others] = names
  if (tool === undefined || others.length > 0) return toolCalls(names, 'any_order')
  const { min, max } = bounds(value)
  return { type: 'tool_used', tool, ...min, ...max }
}

function bounds(value: Written | undefined) {
  const min = value?.get('min')?.number()
  const max = value?.get('max')?.number()
  return { min: min === undefined ? {} : { min }, max: max === undefined ? {} : { max } }
}

function toolSequence({ value }: Assertion): ConvertedCheck {
  const steps = value?.isMapping() ? value.get('steps') : value
  const names = steps?.list().map(item => item.text() ?? item.get('name')?.text()) ?? []
  return toolCalls(names, value?.get('mode')?.text() === 'exact' ? 'exact' : 'in_order')
}

function toolCalls(names: readonly (string | undefined)[], mode: string): ConvertedCheck {
  if (names.length === 0 || names.includes(undefined)) return undefined
  return { type: 'tool_trajectory', mode, expected: names.map(tool => ({ tool })) }
}

function toolArguments({ value }: Assertion): ConvertedCheck {
  const tool = value?.get('name')?.text()
  const args = value?.get('args', 'arguments')
  if (tool === undefined || !args?.isMapping()) return undefined
  return { type: 'tool_used', tool, args: args.value }
}

function skillUsed({ value, written }: Assertion, { notes }: AssertionContext): ConvertedCheck {
  const skill = value?.text() ?? value?.get('name')?.text()
  if (skill === undefined) return undefined
  if (value?.isMapping() && value.entries().length > 1)
    notes.leftOut(written.at, '`skill-used`: bounds of the number of uses')
  return { type: 'trigger_judge', skill, scan: 'all' }
}
