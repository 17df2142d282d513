/** How many files are read at a time. */
const BATCH = 8

/** Calls back with a few paths at a time, in order. */
export async function inBatches(
  paths: readonly string[],
  work: (batch: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < paths.length; start += BATCH) await work(paths.slice(start, start + BATCH))
}

/** Files near the root come first: where a limit leaves some out, installed packages are. */
export function byDepth(a: string, b: string): number {
  return depthOf(a) - depthOf(b) || (a < b ? -1 : 1)
}

function depthOf(path: string): number {
  return path.split('/').length
}
