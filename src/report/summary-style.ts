import type { Palette } from '../lib/palette.ts'

/** How a summary is shown. */
export interface SummaryStyle {
  readonly palette: Palette
  /** The width of the terminal; undefined for files. */
  readonly columns?: number | undefined
  /** Formats a recorded path for display. */
  displayPath(file: string): string
}
