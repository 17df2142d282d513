import { expandBraces, type Parsed } from './braces.ts'
import { type NameMatcher, parseName } from './name-pattern.ts'

/** A glob over paths in a folder, with `/` between names. Matches in linear time. */
export interface PathGlob {
  /** Whether it matches a path that is relative to the folder and normalized. */
  matches(path: string): boolean
  /** Whether it matches a path, or a glob without wildcards names a folder above it. */
  covers(path: string): boolean
  /** Whether paths below a folder can match; `` is the folder itself. */
  mayMatchBelow(folder: string): boolean
  /** The only path that can match; undefined for a glob with wildcards. */
  readonly literal: string | undefined
}

/**
 * Compiles a glob: `*`, `?` and `[abc]` match within a name, `**` any number of folders, `{a,b}` alternatives, and a
 * backslash makes a special character an ordinary one. A leading dot is not special. A glob that ends in `/` or `**`
 * matches everything below.
 */
export function compilePathGlob(glob: string): PathGlob {
  const parsed = parseGlob(glob)
  if ('problem' in parsed) throw new Error(`invalid glob: ${parsed.problem}`)
  const { alternatives } = parsed
  const paths = alternatives.map(({ literal }) => literal)
  return {
    matches: path => alternatives.some(({ names }) => reachedBy(names, namesIn(path)).has(names.length)),
    covers(path) {
      return this.matches(path) || paths.some(literal => literal !== undefined && path.startsWith(`${literal}/`))
    },
    mayMatchBelow: folder =>
      alternatives.some(({ names }) => [...reachedBy(names, namesIn(folder))].some(at => at < names.length)),
    literal: alternatives.length === 1 ? paths[0] : undefined,
  }
}

/** Returns why a glob cannot be used for paths in a folder; undefined for a valid one. */
export function pathGlobProblem(glob: string): string | undefined {
  const parsed = parseGlob(glob)
  return 'problem' in parsed ? parsed.problem : undefined
}

interface Alternative {
  readonly names: Names
  /** The path without wildcards; undefined if there are any. */
  readonly literal: string | undefined
}

/** The names of a glob; undefined is `**`, any number of names. */
type Names = readonly (NameMatcher | undefined)[]

/** No path is longer. */
const LONGEST_GLOB = 4096

function parseGlob(glob: string): Parsed<{ readonly alternatives: readonly Alternative[] }> {
  const problem = unsupportedPart(glob)
  if (problem !== undefined) return { problem }
  const expanded = expandBraces(glob)
  if ('problem' in expanded) return expanded
  const alternatives: Alternative[] = []
  for (const text of expanded.texts) {
    const parsed = parseAlternative(text)
    if ('problem' in parsed) return parsed
    alternatives.push(parsed)
  }
  return { alternatives }
}

/** Finds what other tools know in globs, and what leads out of the folder: it would match nothing. */
function unsupportedPart(glob: string): string | undefined {
  if (glob.length > LONGEST_GLOB) return `it is longer than ${LONGEST_GLOB} characters`
  if (/^(?:\/|\\\\|[A-Za-z]:[/\\])/.test(glob)) return 'it is absolute'
  if (glob.startsWith('!')) return 'it starts with `!`, which is not supported'
  if (/[?*+@!]\(/.test(glob)) return 'groups such as `+(…)` are not supported; write `{a,b}`'
  if (/\\(?:[\p{L}\p{N}_.-]|$)/u.test(glob)) return 'it contains a backslash; write `/` between folders'
  if (/\[\[[:=.]/.test(glob)) return 'named classes such as `[[:alpha:]]` are not supported'
  return undefined
}

function parseAlternative(text: string): Parsed<Alternative> {
  const written = namesIn(text)
  if (text.endsWith('/') && written.at(-1) !== '**') written.push('**')
  if (written.includes('..')) return { problem: 'it contains `..`' }
  if (written.length === 0) return { problem: 'it names no file' }
  const names: (NameMatcher | undefined)[] = []
  const literals: (string | undefined)[] = []
  for (const name of written) {
    const parsed = name === '**' ? undefined : parseName(name)
    if (parsed && 'problem' in parsed) return parsed
    names.push(parsed?.matches)
    literals.push(parsed?.literal)
  }
  // At the end, `**` matches at least one name: `a/**` is what is below `a`.
  if (names.at(-1) === undefined) names.push(() => true)
  return { names, literal: literals.includes(undefined) ? undefined : literals.join('/') }
}

function namesIn(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}

/** The positions in a glob that are reachable with these names. */
function reachedBy(glob: Names, names: readonly string[]): ReadonlySet<number> {
  let reached = withDepths(glob, new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const position of reached) {
      if (position === glob.length) continue
      const wanted = glob[position]
      if (!wanted) next.add(position)
      else if (wanted(name)) next.add(position + 1)
    }
    reached = withDepths(glob, next)
  }
  return reached
}

/** Adds the positions after each `**`, which may match no name. */
function withDepths(glob: Names, positions: Set<number>): Set<number> {
  for (const position of positions) if (position < glob.length && !glob[position]) positions.add(position + 1)
  return positions
}
