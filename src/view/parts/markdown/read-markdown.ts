import { Lexer, type MarkedToken, type Token } from 'marked'

/** Longer texts are shown as they are: reading them could take seconds. */
const LONGEST_TEXT = 100_000

/** The longest paragraph that is searched for emphasis, code and links, which takes the square of its length. */
const LONGEST_PARAGRAPH = 2_000

/** The blocks of a Markdown text; undefined if it is too long or too deeply nested. */
export function readMarkdown(text: string): readonly MarkedToken[] | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  const lexer = new BoundedLexer()
  try {
    return knownTokens(lexer.lex(text))
  } catch (error) {
    // Thousands of nested quotes.
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** The lexer of marked, with a bound on the time for a paragraph. */
class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length <= LONGEST_PARAGRAPH) return super.inlineTokens(text, tokens)
    tokens.push({ type: 'text', raw: text, text })
    return tokens
  }
}

/** The tokens that marked makes without extensions. */
export function knownTokens(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens as readonly MarkedToken[]
}

/** Whether a text has lists, headings, code, tables or emphasis, and is easier to read as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  return /^(#{1,6} |\s*[-*+] |\s*\d+[.)] |```|~~~|> |\|.+\|\s*$)|\*\*\S/m.test(text)
}
