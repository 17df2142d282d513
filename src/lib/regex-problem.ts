/** Why a pattern is no regular expression, or undefined when it is one. */
export function regexProblem(pattern: string, flags = ''): string | undefined {
  try {
    new RegExp(pattern, flags)
    return undefined
  } catch (error) {
    // V8 says `Invalid regular expression: /(/: Unterminated group`; the part behind the pattern is what a reader needs.
    const detail = (error as Error).message.replace(/^Invalid (regular expression|flags)[\s\S]*?: (?=[A-Z][^:]*$)/, '')
    return `this is not a regular expression: ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`
  }
}
