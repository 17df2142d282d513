import { cutText } from '../../../lib/cut-text.ts'

const LONGEST = 100

/** `search {"query":"rain"}`: a tool, with its arguments where there are some. */
export function callText({ tool, input }: { readonly tool: string; readonly input?: unknown }): string {
  if (input === undefined || input === 'any') return tool
  return `${tool} ${cutText(JSON.stringify(input), LONGEST)}`
}
