import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import type { YamlEvents } from './yaml-events.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

const LONGEST_HEADER = 200

/** Returns the characters to mark for a node: a scalar with its quotes, the first key of a mapping, the dash or bracket of a list. */
export function spanOf(events: YamlEvents, node: number): Span | undefined {
  const event = events.at(node)
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart < 0 ? undefined : scalarSpan(events.text, event)
    case EVENT_ID.ALIAS:
      return { start: event.anchorStart - 1, end: event.anchorEnd }
    case EVENT_ID.MAPPING: {
      const key = event.style === COLLECTION_STYLE.BLOCK ? spanOf(events, node + 1) : undefined
      return { start: event.start, end: Math.max(key?.end ?? 0, event.start + 1) }
    }
    case EVENT_ID.SEQUENCE:
      return { start: event.start, end: event.start + 1 }
    default:
      return undefined
  }
}

/** Locates the dashes of the empty list items after a node that has a location. */
export function dashesAfter(events: YamlEvents, before: number): Map<number, number> {
  const dashes = new Map<number, number>()
  const event = events.at(before)
  const dash = /^[ \t]*(?:- +)*-(?=\s|$)/gm
  dash.lastIndex = event?.type === EVENT_ID.SCALAR ? event.valueEnd : (spanOf(events, before)?.end ?? 0)
  for (let node = before + 1; node < events.length && !hasLocation(events, node); node++) {
    if (events.at(node)?.type !== EVENT_ID.SCALAR) continue
    // The first item shares the location of the list.
    if (event?.type === EVENT_ID.SEQUENCE && node === before + 1) dashes.set(node, event.start)
    else if (dash.exec(events.text)) dashes.set(node, dash.lastIndex - 1)
  }
  return dashes
}

export function hasLocation(events: YamlEvents, node: number): boolean {
  const event = events.at(node)
  if (event?.type === EVENT_ID.SCALAR) return event.valueStart >= 0
  return event !== undefined && event.type !== EVENT_ID.POP && event.type !== EVENT_ID.DOCUMENT
}

function scalarSpan(text: string, { valueStart: start, valueEnd: end, style }: ScalarEvent): Span {
  if (style === SCALAR_STYLE.PLAIN) return { start, end }
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
    return { start: start - 1, end: end + 1 }
  }
  return blockHeader(text, start) ?? { start, end }
}

/** Returns the `|` or `>` above the text of a block scalar. */
function blockHeader(text: string, start: number): Span | undefined {
  const from = Math.max(0, start - LONGEST_HEADER)
  const header = text.slice(from, start).match(/[|>][-+\d]*(?=[^\S\r\n]*(#[^\r\n]*)?(\r\n?|\n)?$)/)
  if (header?.index === undefined) return undefined
  return { start: from + header.index, end: from + header.index + header[0].length }
}
