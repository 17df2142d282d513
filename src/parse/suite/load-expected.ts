import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { ROLES } from '../../model/message.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** Warns if structured output looks like messages: an item has `content` but no valid role. */
export function reportMissingRoles(expected: unknown, at: SourceNode, diagnostics: Diagnostics): void {
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
