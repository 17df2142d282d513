/** Where a reader was in a list when they left it. */
export interface ListPlace {
  readonly page_top: number
  readonly table_top: number
  /** Key of the row that had the focus. */
  readonly row: string
}

/** By the key of the screen; lasts until the page is closed. */
const places = new Map<string, ListPlace>()

export function leavePlace(screen: string, place: ListPlace): void {
  places.set(screen, place)
}

export function hasPlace(screen: string): boolean {
  return places.has(screen)
}

export function placeIn(screen: string): ListPlace | undefined {
  return places.get(screen)
}
