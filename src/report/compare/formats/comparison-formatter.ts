import type { Palette } from '../../../lib/palette.ts'
import type { CompareGateOptions } from '../compare-gate.ts'
import type { RunComparison } from '../compare-runs.ts'

/** Writes a comparison in one format; the palette is for formats with colours. The same records give the same bytes. */
export type ComparisonFormatter = (compared: RunComparison, gates: CompareGateOptions, palette: Palette) => string
