import { sep } from 'node:path'

/** Whether a path is a folder itself or below it. */
export function isBelow(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** Converts text to lower-case ASCII letters, digits and single hyphens, which are safe in file names; may be empty. */
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

/** Whether Windows reserves a file name for a device, with any extension. */
export function isReservedName(name: string): boolean {
  return /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\.|$)/i.test(name)
}

/** What Node returns for bytes of a file name that are not UTF-8. */
const REPLACEMENT = '\uFFFD'

/** Whether a path may have a name that is not UTF-8, and so cannot be opened. */
export function mayBeNotUtf8(path: string): boolean {
  return path.includes(REPLACEMENT)
}

/** A file that is written before it is renamed to its target, by a process of a machine. */
export interface Draft {
  readonly file: string
  readonly machine: string
  readonly pid: number
}

/** Returns the file name of a draft; `number` is unique in its process. */
export function draftName({ file, machine, pid }: Draft, number: number): string {
  return `${file}.${machine}.${pid}.${number}.tmp`
}

/** Parses the file name of a draft; undefined for any other file. */
export function parseDraftName(name: string): Draft | undefined {
  if (!name.endsWith('.tmp')) return undefined
  const [, file, machine, pid] = /^(.+)\.([0-9a-f]{8})\.(\d{1,10})\.\d{1,10}\.tmp$/s.exec(name) ?? []
  return file && machine && pid ? { file, machine, pid: Number(pid) } : undefined
}

/** Whether a relative path with `/` names a file below any folder, on every system: no `..`, drives or device names. */
export function isSafePath(path: string): boolean {
  const names = path.split('/')
  const isSafeName = (name: string) =>
    name !== '' && name !== '.' && name !== '..' && !/[\\:\p{Cc}]|[. ]$/u.test(name) && !isReservedName(name)
  return path.length <= 500 && names.length <= 50 && names.every(isSafeName) && !mayBeNotUtf8(path)
}
