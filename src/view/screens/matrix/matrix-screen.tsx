import type { RunScreenProps } from '../../screen.ts'

export function MatrixScreen(_: RunScreenProps<'matrix'>) {
  return null
}
