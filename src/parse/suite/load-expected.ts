import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Check } from '../../model/check.ts'
import { looksLikeMessages, ROLES } from '../../model/message.ts'
import { messagesSchema } from '../../spec/test.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { reportIssuesIn } from './check-issues.ts'
import type { SuiteContext } from './load-context.ts'
import { expandCallResults, findMessageFiles } from './load-input.ts'

/** Loads the expected output of a test and reports issues that checks find in it. */
export function loadExpected(
  fields: Fields,
  at: SourceNode,
  { own, inherited }: { readonly own: readonly Check[]; readonly inherited: readonly Check[] },
  context: SuiteContext,
): unknown {
  const { diagnostics } = context
  const before = diagnostics.errors
  const expected_output = expectedOutput(fields, at, context)
  if (diagnostics.errors > before) return expected_output
  const criteria = typeof fields['criteria'] === 'string' ? fields['criteria'] : undefined
  for (const check of own) reportIssuesIn(check, { expected_output, criteria, at }, 'check', diagnostics)
  for (const check of inherited) reportIssuesIn(check, { expected_output, criteria, at }, 'test', diagnostics)
  return expected_output
}

/** Reads a list in which every item has a role as messages. */
function expectedOutput(fields: Fields, at: SourceNode, context: SuiteContext): unknown {
  const expected = fields['expected_output']
  if (!looksLikeMessages(expected)) {
    reportMissingRoles(expected, at.child('expected_output'), context.diagnostics)
    return expected
  }
  const messages = checkShape(messagesSchema(), expected, at.child('expected_output'), context.diagnostics)
  if (!messages) return undefined
  return expandCallResults(findMessageFiles(messages, at.child('expected_output'), context))
}

/** Warns if structured output looks like messages: an item has `content` but no valid role. */
function reportMissingRoles(expected: unknown, at: SourceNode, diagnostics: Diagnostics): void {
  const isList = Array.isArray(expected)
  const items: readonly unknown[] = isList ? expected : []
  const index = items.findIndex(item => isMapping(item) && Object.hasOwn(item, 'content') && !hasRole(item))
  if (index >= 0) {
    const role = (items[index] as Record<string, unknown>)['role']
    const what = role === undefined ? 'no `role`' : `an unknown \`role\`, ${quoteCode(role)}`
    const message = `this item has \`content\` and ${what}, so the whole list is read as structured output, not as messages`
    const hint = `to write messages, give every item a \`role\`: ${ROLES.join(', ')}`
    diagnostics.add({ code: 'no-role', at: at.child(index), message, hint })
  } else if (!isList && isMapping(expected) && Object.hasOwn(expected, 'content') && hasRole(expected)) {
    const message = 'this mapping looks like a message, but is read as structured output'
    diagnostics.add({ code: 'no-role', at, message, hint: 'write messages as a list: put `- ` before the first key' })
  }
}

function hasRole({ role }: Record<string, unknown>): boolean {
  return (ROLES as readonly unknown[]).includes(role)
}
