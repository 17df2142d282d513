/** The number of `*` in a name, and of `**` in a glob, that regular expressions always match quickly. */
const FEW = 2

/** Estimates the cost of a glob as a regular expression: use `globMatcher` for `long` globs, and reject `endless` ones. */
export function globCost(glob: string): 'short' | 'long' | 'endless' {
  const isRepeated = /[*+]\(|[)\]}]\+|\([^)]*\+/.test(glob)
  const stars = glob.split('/').map(name => (name === '**' ? 0 : (name.match(/\*+|!\(/g)?.length ?? 0)))
  const isShort = stars.every(count => count <= FEW) && depths(glob) <= FEW
  if (isShort && !isRepeated) return 'short'
  return /[[\]{}()!\\+@|]/.test(glob) ? 'endless' : 'long'
}

function depths(glob: string): number {
  return glob.split('/').filter(name => name === '**').length
}

/** Returns a short glob that matches at least what a `long` one does, and also dot-files. */
export function widenedGlob(glob: string): string {
  const names = glob.split('/').map(name => (name !== '**' && globCost(name) !== 'short' ? '*' : name))
  const [start, end] = [names.indexOf('**'), names.lastIndexOf('**')]
  return (depths(glob) <= FEW ? names : [...names.slice(0, start), ...names.slice(end)]).join('/')
}

/** Matches paths in linear time against a glob of `*`, `?` and `**`, relative to the same folder. */
export function globMatcher(glob: string): (path: string) => boolean {
  const names = namesIn(glob).map(name => (name === '**' ? undefined : nameMatcher(name)))
  return path => matchesNames(names, namesIn(path))
}

/** Whether files below a folder can match a glob of `*`, `?` and `**`. */
export function couldMatchBelow(glob: string, folder: string): boolean {
  const names = namesIn(glob).map(name => (name === '**' ? undefined : nameMatcher(name)))
  return [...reachedBy(names, namesIn(folder))].some(position => position < names.length)
}

function namesIn(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}

/** Wildcards do not match a leading dot. */
function nameMatcher(name: string): Wildcard {
  const pattern = wildcard(name)
  const isHidden = name.startsWith('.')
  return { test: text => (isHidden || !text.startsWith('.')) && pattern.test(text) }
}

/** The names of a glob; undefined is `**`, any number of names without a leading dot. */
type Names = readonly (Wildcard | undefined)[]

function matchesNames(glob: Names, names: readonly string[]): boolean {
  return reachedBy(glob, names).has(glob.length)
}

/** The positions in a glob that are reachable with these names. */
function reachedBy(glob: Names, names: readonly string[]): Set<number> {
  let reached = withDepths(glob, new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const position of reached) {
      const wanted = glob[position]
      if (wanted?.test(name)) next.add(position + 1)
      if (position < glob.length && !wanted && !name.startsWith('.')) next.add(position)
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

/** Whether a path is a glob. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/** The folder or file that a glob starts from: its names up to the first with a special character. */
export function staticBase(glob: string): string {
  const names = glob.replace(/^!(?!\()/, '').split('/')
  const first = names.findIndex(name => /[*?[\]{}()!+@\\]/.test(name))
  const base = (first < 0 ? names : names.slice(0, first)).join('/')
  return base === '' && glob.startsWith('/') ? '/' : base
}

/** A compiled wildcard pattern. */
interface Wildcard {
  test(text: string): boolean
}

/** Compiles a pattern in which `*` matches any text and `?` any character. Never backtracks beyond the last `*`. */
export function wildcard(pattern: string): Wildcard {
  const [first = [], ...others] = pattern.split('*').map(part => [...part])
  const last = others.pop()
  return { test: text => matches([...text], first, others, last) }
}

type Characters = readonly string[]

/** Whether a text starts with the first part, ends with the last, and contains the others between them in order. */
function matches(text: Characters, first: Characters, others: readonly Characters[], last?: Characters): boolean {
  if (!isAt(text, 0, first)) return false
  if (!last) return text.length === first.length
  let from = first.length
  for (const part of others) {
    while (from + part.length <= text.length && !isAt(text, from, part)) from++
    from += part.length
  }
  return from + last.length <= text.length && isAt(text, text.length - last.length, last)
}

function isAt(text: Characters, start: number, part: Characters): boolean {
  if (start + part.length > text.length) return false
  for (let offset = 0; offset < part.length; offset++) {
    if (part[offset] !== '?' && part[offset] !== text[start + offset]) return false
  }
  return true
}

/** Returns why a regular expression is invalid; undefined for a valid one. */
export function regexProblem(pattern: string, flags = ''): string | undefined {
  try {
    new RegExp(pattern, flags)
    return undefined
  } catch (error) {
    // V8 reports `Invalid regular expression: /(/: Unterminated group`; only the last part is useful.
    const detail = (error as Error).message.replace(/^Invalid (regular expression|flags)[\s\S]*?: (?=[A-Z][^:]*$)/, '')
    return `this is not a regular expression: ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`
  }
}
