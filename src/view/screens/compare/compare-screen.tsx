import type { ScreenProps } from '../../screen.ts'

/** Not written yet. */
export function CompareScreen(_: ScreenProps<'compare'>) {
  return null
}
