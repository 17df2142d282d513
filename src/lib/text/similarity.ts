/** More steps than this, the product of the lengths of two texts, take too long. */
export const MOST_STEPS = 100_000_000

/** The similarity of two texts by their edit distance: 1 if they are equal, 0 if every character differs. */
export function editSimilarity(a: string, b: string): number {
  const [one, other] = [[...a.normalize('NFC')], [...b.normalize('NFC')]]
  const longest = Math.max(one.length, other.length)
  return longest === 0 ? 1 : 1 - editDistance(one, other) / longest
}

/** The fewest insertions, deletions and replacements that make one list of the other. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, item] of a.entries()) {
    const next = new Uint32Array(b.length + 1)
    next[0] = index + 1
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (item === b[column - 1] ? 0 : 1)
      next[column] = Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1)
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** ROUGE-N: the F-measure of the n-grams that two lists of words share. Lists without n-grams are equal or not. */
export function rougeN(words: readonly string[], reference: readonly string[], n: number): number {
  if (Math.max(words.length, reference.length) < n) return Number(words.join(' ') === reference.join(' '))
  const [found, wanted] = [ngrams(words, n), ngrams(reference, n)]
  return fMeasure(sharedCount(found, wanted), words.length - n + 1, reference.length - n + 1)
}

/** ROUGE-L: the F-measure of the longest common subsequence of two lists of words. */
export function rougeL(words: readonly string[], reference: readonly string[]): number {
  return fMeasure(commonLength(words, reference), words.length, reference.length)
}

/**
 * Sentence BLEU: the geometric mean of the shares of n-grams found in the reference, for n up to 4 or the length of the
 * shorter list, times the brevity penalty. For n above 1, both counts of a share are one higher (Lin and Och, 2004).
 */
export function bleu(words: readonly string[], reference: readonly string[]): number {
  const orders = Math.min(MOST_WORDS, words.length, reference.length)
  if (orders === 0) return words.length === reference.length ? 1 : 0
  let sum = 0
  for (let n = 1; n <= orders; n++) {
    const added = n === 1 ? 0 : 1
    const shared = sharedCount(ngrams(words, n), ngrams(reference, n))
    sum += Math.log((shared + added) / (words.length - n + 1 + added))
  }
  const brevity = words.length >= reference.length ? 1 : Math.exp(1 - reference.length / words.length)
  return brevity * Math.exp(sum / orders)
}

const MOST_WORDS = 4

function fMeasure(shared: number, found: number, wanted: number): number {
  if (found <= 0 && wanted <= 0) return 1
  return shared === 0 ? 0 : (2 * shared) / (found + wanted)
}

function ngrams(words: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let start = 0; start + n <= words.length; start++) {
    const gram = words.slice(start, start + n).join(' ')
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

function sharedCount(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  for (const [gram, count] of a) shared += Math.min(count, b.get(gram) ?? 0)
  return shared
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1)
  for (const word of a) {
    const next = new Uint32Array(b.length + 1)
    for (let column = 1; column <= b.length; column++) {
      next[column] =
        word === b[column - 1] ? (row[column - 1] ?? 0) + 1 : Math.max(row[column] ?? 0, next[column - 1] ?? 0)
    }
    row = next
  }
  return row[b.length] ?? 0
}
