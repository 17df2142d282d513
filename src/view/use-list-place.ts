import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { leavePlace, placeIn } from './list-place.ts'

interface Options {
  readonly screen: string
  readonly scroller: RefObject<HTMLElement | null>
  readonly keys: readonly { readonly key: string }[]
  /** Key of the current row. */
  readonly current: string
  readonly focusRow: (index: number) => void
}

/** Comes back to the row that a reader left the list from. */
export function useListPlace(options: Options): void {
  const latest = useRef(options)
  latest.current = options
  useLayoutEffect(() => {
    const { screen, scroller, keys, focusRow } = latest.current
    const place = placeIn(screen)
    const index = place ? keys.findIndex(({ key }) => key === place.row) : -1
    if (place) {
      if (scroller.current) scroller.current.scrollTop = place.table_top
      scrollTo(0, place.page_top)
      if (index >= 0) focusRow(index)
      else document.querySelector<HTMLElement>('.tests h2')?.focus({ preventScroll: true })
    }
    return () => {
      const { screen, current, scroller } = latest.current
      leavePlace(screen, { page_top: scrollY, table_top: scroller.current?.scrollTop ?? 0, row: current })
    }
  }, [])
}
