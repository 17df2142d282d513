import { relative, resolve } from 'node:path'
import pc from 'picocolors'
import { type Palette, PLAIN } from '../../lib/palette.ts'

/** Where the program prints. */
export const terminal = {
  /** Takes secrets out of everything that is printed. */
  redact: (text: string) => text,
  out(text: string): void {
    process.stdout.write(terminal.redact(text))
  },
  err(text: string): void {
    process.stderr.write(terminal.redact(text))
  },
}

/** Colours, where the reader is a terminal that shows them. */
export function paletteFor(stream: NodeJS.WriteStream): Palette {
  const forced = !['0', 'false', undefined].includes(process.env['FORCE_COLOR'])
  if (!pc.isColorSupported || !(stream.isTTY || forced)) return PLAIN
  return { good: pc.green, error: pc.red, warning: pc.yellow, strong: pc.bold, faint: pc.dim }
}

/** Whether lines can be drawn over and over: on a terminal that a person looks at. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !process.env['CI'] && process.env['TERM'] !== 'dumb'
}

/** Paths of records as people want to see them: records count from the root of their run. */
export function shownFrom(root: string | undefined): (file: string) => string {
  return file => (root === undefined ? file : shownPath(resolve(root, file)))
}

/** A path as people want to see it: from the current folder. */
export function shownPath(file: string): string {
  return relative(process.cwd(), file) || '.'
}
