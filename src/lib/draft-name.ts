/** A file that is written before it takes its place, and by which process of which machine. */
export interface Draft {
  readonly file: string
  readonly machine: string
  readonly pid: number
}

/** The name of a draft; `number` tells those of one process apart. */
export function draftName({ file, machine, pid }: Draft, number: number): string {
  return `${file}.${machine}.${pid}.${number}.tmp`
}

/** Reads the name of a draft; undefined for any other file. */
export function draftOf(name: string): Draft | undefined {
  const [, file, machine, pid] = /^(.+)\.([0-9a-f]{8})\.(\d{1,10})\.\d{1,10}\.tmp$/s.exec(name) ?? []
  return file && machine && pid ? { file, machine, pid: Number(pid) } : undefined
}
