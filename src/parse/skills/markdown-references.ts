/** A mention of a file in a Markdown text. */
export interface Reference {
  /** Path as written, without an anchor. */
  readonly path: string
  readonly offset: number
  /** Whether it is a link, which can only mean this file. A path in the text may belong to another folder. */
  readonly is_link: boolean
}

/** Finds the files that a Markdown text refers to: relative links, and paths in the folders of a skill. */
export function referencesIn(text: string, start = 0): Reference[] {
  const visible = blank(text.slice(start), COMMENT)
  const prose = blank(blank(visible, FENCE), CODE_SPAN)
  const found = [...links(prose), ...mentions(visible)]
  const first = new Map<string, Reference>()
  for (const reference of found) if (!first.has(reference.path)) first.set(reference.path, reference)
  return [...first.values()].map(reference => ({ ...reference, offset: reference.offset + start }))
}

const COMMENT = /<!--.*?(?:-->|$(?![\s\S]))/gs
const FENCE = /^[ \t]{0,3}(`{3,}|~{3,}).*?(?:^[ \t]{0,3}\1[`~]*[ \t]*\r?$|$(?![\s\S]))/gms
const CODE_SPAN = /(?<!`)(`{1,2})(?!`)[^`\n]{1,1000}\1(?!`)/g

/** Replaces what matches by blanks, so that offsets stay. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, match => match.replace(/[^\n]/g, ' '))
}

const INLINE_LINK = /\]\(\s{0,10}(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}))/g
const LINK_DEFINITION = /^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]{1,10}<?([^\s<>]{1,500})/gm

function* links(text: string): Generator<Reference> {
  for (const pattern of [INLINE_LINK, LINK_DEFINITION])
    for (const match of text.matchAll(pattern)) {
      const written = match[1] ?? match[2] ?? ''
      const path = linkedPath(written)
      if (path !== undefined) yield { path, offset: match.index + match[0].lastIndexOf(written), is_link: true }
    }
}

/** The path of a relative link; undefined for URLs, anchors, absolute paths, placeholders and globs. */
function linkedPath(written: string): string | undefined {
  const [path = ''] = written.split(/[?#]/)
  const isElsewhere = /^([a-z][a-z\d+.-]*:|[/~\\])/i.test(path)
  const isPlaceholder = /[*${}<>|…]|\.\.\.|^path\/to\/|%s/.test(path)
  // A word alone, such as `[text](url)`, is a placeholder too.
  if (path === '' || isElsewhere || isPlaceholder || !/[./]/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const MENTION =
  /(?<![\w./\\~$}-]|[\w}]\/)(?:\.\/|\$\{CLAUDE_SKILL_DIR\}\/|\{baseDir\}\/)?((?:scripts|references|assets)\/[\w./-]{1,200}\.\w{1,10})(?![\w/*<{$[-])/g

function* mentions(text: string): Generator<Reference> {
  for (const match of text.matchAll(MENTION)) {
    const [whole, path = ''] = match
    if (!/\.\.\.|\/path\//.test(path)) yield { path, offset: match.index + whole.length - path.length, is_link: false }
  }
}
