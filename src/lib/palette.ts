/** How the parts of a text are coloured; each is the identity where there is no colour. */
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
