import type { Palette } from '../lib/palette.ts'
import type { Verdict } from '../model/verdict.ts'

/** Returns the colour of a verdict. */
export function paint(verdict: Verdict, palette: Palette): (text: string) => string {
  if (verdict === 'pass') return palette.good
  return verdict === 'borderline' ? palette.warning : palette.error
}
