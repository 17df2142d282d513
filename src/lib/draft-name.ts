/** The name under which a file is written before it takes its place; `number` tells those of one process apart. */
export function draftName(path: string, pid: number, number: number): string {
  return `${path}.${pid}.${number}.tmp`
}

/** The file that a draft is of; undefined for any other file. */
export function fileOfDraft(path: string): string | undefined {
  return /^(.+)\.\d+\.\d+\.tmp$/s.exec(path)?.[1]
}
