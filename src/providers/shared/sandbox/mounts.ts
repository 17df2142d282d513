import { isBelow } from '../../../lib/paths.ts'

/** What a path is in a sandbox. Paths that nothing is said about do not exist there. */
export type Mount =
  | { readonly kind: 'readable' | 'writable'; readonly path: string }
  /** A folder of the machine that is not there, although a folder above it is. */
  | { readonly kind: 'hidden'; readonly path: string }
  /** A folder that starts empty and can be written to, but not from outside. */
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'dev' | 'proc'; readonly path: string }

/** The kinds of one path, the strongest first. */
const KINDS = ['dev', 'proc', 'writable', 'readable', 'empty', 'hidden', 'link'] as const

/**
 * Returns the arguments of bwrap that make these paths, and no others. The most specific path wins: a hidden folder in a
 * readable one is hidden, and a readable file in the hidden folder is readable. Paths are real, except for links.
 */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const made = neededMounts(mounts)
  const covers = made.filter(({ kind }) => kind === 'hidden').map(({ path }) => path)
  // The folders that bwrap creates above mounts could be written to. They are closed at last, when all of them exist.
  return [...made.flatMap(argumentsOf), ...['/', ...covers].flatMap(path => ['--remount-ro', path])]
}

/** The mounts that change something, from the outside to the inside. */
function neededMounts(mounts: readonly Mount[]): Mount[] {
  const byStrength = mounts.toSorted((a, b) => KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind))
  const strongest = new Map(byStrength.map(mount => [mount.path, mount]))
  const made: Mount[] = []
  for (const mount of [...strongest.values()].sort((a, b) => a.path.length - b.path.length)) {
    const around = made.findLast(({ kind, path }) => kind !== 'link' && isBelow(mount.path, path))
    if (isNeeded(mount, around?.kind)) made.push(mount)
  }
  return made
}

/** Whether a mount differs from what is there through the nearest mount above it. */
function isNeeded({ kind }: Mount, around: Mount['kind'] | undefined): boolean {
  const isVisible = around === 'readable' || around === 'writable'
  if (kind === 'readable' || kind === 'link') return !isVisible
  if (kind === 'writable') return around !== 'writable'
  return kind !== 'hidden' || isVisible
}

function argumentsOf(mount: Mount): string[] {
  const { kind, path } = mount
  switch (kind) {
    case 'readable':
      return ['--ro-bind', path, path]
    case 'writable':
      return ['--bind', path, path]
    case 'link':
      return ['--symlink', mount.target, path]
    case 'dev':
      return ['--dev', path]
    case 'proc':
      return ['--proc', path]
    default:
      return ['--tmpfs', path]
  }
}
