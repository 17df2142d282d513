import { el } from './element.ts'

/** Rows that are drawn at once: what one can look through, and what is drawn in no time. */
export const PAGE_SIZE = 50

export function pager(page: number, pages: number, turn: (page: number) => void): HTMLElement[] {
  const button = (name: string, to: number) =>
    el('button', { type: 'button', disabled: to < 1 || to > pages, click: () => turn(to) }, name)
  return [button('Previous', page - 1), el('span', {}, `Page ${page} of ${pages}`), button('Next', page + 1)]
}
