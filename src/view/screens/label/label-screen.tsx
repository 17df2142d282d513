import type { ScreenProps } from '../../screen.ts'

/** Not written yet. */
export function LabelScreen(_: ScreenProps<'label'>) {
  return null
}
