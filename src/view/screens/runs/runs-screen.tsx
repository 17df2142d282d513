import type { ScreenProps } from '../../screen.ts'

export function RunsScreen(_: ScreenProps<'runs'>) {
  return null
}
