import { sep } from 'node:path'

/** Whether a path is that of a folder, or below it. */
export function isBelow(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** A text as part of a file's name that every system takes: small ASCII letters, digits and single hyphens; maybe none. */
export function slug(text: string, longest: number): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '')
}

/** Whether Windows keeps a name of a file for a device, whatever comes behind a dot. */
export function isReservedName(name: string): boolean {
  return /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\.|$)/i.test(name)
}

/** What Node puts in place of bytes in a name that are not UTF-8. */
const REPLACEMENT = '\uFFFD'

/** Whether a path may be one whose name is not UTF-8, so that nothing is found at it. */
export function mayBeNotUtf8(path: string): boolean {
  return path.includes(REPLACEMENT)
}

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
export function parseDraftName(name: string): Draft | undefined {
  const [, file, machine, pid] = /^(.+)\.([0-9a-f]{8})\.(\d{1,10})\.\d{1,10}\.tmp$/s.exec(name) ?? []
  return file && machine && pid ? { file, machine, pid: Number(pid) } : undefined
}
