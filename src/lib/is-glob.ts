/** Whether a path is a pattern that may match several files. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}
