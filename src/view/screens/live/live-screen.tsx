import type { ScreenProps } from '../../screen.ts'

/** Not written yet. */
export function LiveScreen(_: ScreenProps<'live'>) {
  return null
}
