/** What Node puts in place of bytes in a name that are not UTF-8. */
const REPLACEMENT = '\uFFFD'

/** Whether a path may be one whose name is not UTF-8, so that nothing is found at it. */
export function mayBeNotUtf8(path: string): boolean {
  return path.includes(REPLACEMENT)
}
