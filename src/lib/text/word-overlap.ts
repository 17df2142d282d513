/** How much two texts have in common. */
export interface WordOverlap {
  /** From 0 to 1: shared words in relation to the geometric mean of the words of both. */
  readonly share: number
  /** The shared words as the first text has them, in its order. */
  readonly words: readonly string[]
}

/** The distinct words of a text that carry its meaning, by their stems. */
export type ContentWords = ReadonlyMap<string, string>

/** Compares the words of two texts. */
export function wordOverlap(a: ContentWords, b: ContentWords): WordOverlap {
  const words = [...a].flatMap(([stem, word]) => (b.has(stem) ? [word] : []))
  const size = Math.sqrt(a.size * b.size)
  return { share: size === 0 ? 0 : words.length / size, words }
}

/** Collects the words of a text, without those that every text has. */
export function contentWords(text: string): ContentWords {
  const words = new Map<string, string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu)) {
    const stem = stemOf(word)
    if (!STOP_WORDS.has(word) && !STOP_WORDS.has(stem) && !words.has(stem)) words.set(stem, word)
  }
  return words
}

/** Removes the usual English endings, so that `files` and `file`, `creates` and `creating` are equal. */
function stemOf(word: string): string {
  if (word.length <= 3) return word
  const base = word
    .replace(/(ss|us|is)$/, '$1_')
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss_)es$/, '$1')
    .replace(/s$/, '')
    .replace(/_$/, '')
  const cut = base.replace(/(?<=[a-z]{3})(ing|ed)$/, '')
  return (cut === base ? base : cut.replace(/([^aeiouls])\1$/, '$1')).replace(/(?<=[a-z]{3})e$/, '')
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also an and any are as asks at be been both but by can do does each etc for from give given has have help
  helps how if in into is it its like make may more most need needs not of on one only or other our out over should so
  such task tasks that the their them then there these they this those through to tool tools up use used user users
  uses using via want wants was well what when whenever where which while who will with within work working works you
  your skill skills ask asked asking mention mentions mentioned`.split(/\s+/),
)
