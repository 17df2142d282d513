import { nearest } from './nearest.ts'

/** `did you mean …?` where a known word is close, else another hint. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const near = nearest(word, known)
  return near === undefined ? otherwise : `did you mean \`${near}\`?`
}
