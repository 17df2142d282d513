import type { Random } from '../random.ts'
import { HOSTILE, NUMBERS, SPECIALS, WORDS } from './dictionary.ts'

type Mutation = (text: string, random: Random, others: readonly string[]) => string

/** Applies one mutation to a text. Inserted pieces can come from `others`. */
export function mutateText(text: string, random: Random, others: readonly string[]): string {
  return random.pick(MUTATIONS)(text, random, others)
}

const MUTATIONS: readonly Mutation[] = [
  (text, random) => replaced(text, span(text, random), ''),
  (text, random) => inserted(text, random, cut(text, span(text, random))),
  (text, random, others) => inserted(text, random, cut(...spanOf(random.pick(others) ?? '', random))),
  (text, random) => swapped(text, random),
  (text, random) => inserted(text, random, random.pick(SPECIALS)),
  (text, random) => inserted(text, random, random.pick(HOSTILE)),
  (text, random) => inserted(text, random, random.pick(WORDS)),
  (text, random) => atMatch(text, random, /[A-Za-z_]\w*/g, () => random.pick(WORDS)),
  (text, random) => atMatch(text, random, /\d[\d.e]*/g, () => random.pick(NUMBERS)),
  (text, random) => atMatch(text, random, /: ?/g, found => `${found}${random.pick(SPECIALS)}`),
  (text, random) => atMatch(text, random, /: [^\n]*/g, () => `: ${random.pick([...NUMBERS, ...HOSTILE, ...WORDS])}`),
  (text, random) =>
    atMatch(text, random, /^ */gm, found => random.pick([`${found} `, `${found}  `, found.slice(1), '\t'])),
  (text, random) => atMatch(text, random, /["'[\]{},]/g, () => random.pick(['', '"', "'", '[', ']', '{', '}', ','])),
  (text, random) => lines(text, random, (list, at) => list.toSpliced(at, 1)),
  (text, random) => lines(text, random, (list, at) => list.toSpliced(at, 0, list[at] ?? '')),
  (text, random) => lines(text, random, (list, at) => list.toSpliced(random.below(list.length), 0, list[at] ?? '')),
  (text, random, others) =>
    lines(text, random, (list, at) => list.toSpliced(at, 0, random.pick((random.pick(others) ?? '').split('\n')))),
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => text.slice(random.below(Math.min(200, text.length + 1))),
  (text, random) => inserted(text, random, nest(random)),
  (text, random) => inserted(text, random, random.pick([...WORDS, 'x', 'ß', ' ']).repeat(random.pick([10, 300, 5000]))),
  text => text.replaceAll('\n', '\r\n'),
  text => text.replaceAll('\n', '\r'),
  text => `\ufeff${text}`,
  text => `${text}\n---\n${text}`,
  text => text.replaceAll('  ', '\t'),
]

type Span = readonly [from: number, to: number]

/** A random span, usually short. */
function span(text: string, random: Random): Span {
  const from = random.below(text.length + 1)
  return [from, Math.min(text.length, from + 1 + random.below(random.pick([3, 10, 60, 400])))]
}

function spanOf(text: string, random: Random): [string, Span] {
  return [text, span(text, random)]
}

function cut(text: string, [from, to]: Span): string {
  return text.slice(from, to)
}

function replaced(text: string, [from, to]: Span, by: string): string {
  return text.slice(0, from) + by + text.slice(to)
}

function inserted(text: string, random: Random, what: string): string {
  const at = random.below(text.length + 1)
  return replaced(text, [at, at], what)
}

function swapped(text: string, random: Random): string {
  const [one, other] = [span(text, random), span(text, random)].sort(([a], [b]) => a - b) as [Span, Span]
  const from = Math.max(one[1], other[0])
  const to = Math.max(from, other[1])
  return replaced(replaced(text, [from, to], cut(text, one)), one, cut(text, [from, to]))
}

function atMatch(text: string, random: Random, pattern: RegExp, change: (found: string) => string): string {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { index, 0: word } = random.pick(found)
  return replaced(text, [index, index + word.length], change(word))
}

function lines(text: string, random: Random, change: (list: string[], at: number) => string[]): string {
  const list = text.split('\n')
  return change(list, random.below(list.length)).join('\n')
}

/** Nested lists or mappings. */
function nest(random: Random): string {
  const depth = random.pick([3, 60, 150, 1200, 20_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['- ', ''],
    ['{', '}'],
  ] as const)
  return open.repeat(depth) + (random.chance(0.7) ? close.repeat(depth) : '')
}
