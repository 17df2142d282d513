/** Colours for parts of a text; without colours, each returns its text unchanged. */
export interface Palette {
  good(text: string): string
  error(text: string): string
  warning(text: string): string
  strong(text: string): string
  faint(text: string): string
}

export const PLAIN: Palette = { good: same, error: same, warning: same, strong: same, faint: same }

function same(text: string): string {
  return text
}
