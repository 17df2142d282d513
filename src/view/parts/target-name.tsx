/** Number of colours; a further target has one of them again. */
const COLOURS = 8

/** The number of the colour of a target: the same in every table and chart of a run. */
export function targetColour(targets: readonly string[], name: string): number {
  return Math.max(0, targets.indexOf(name)) % COLOURS
}

interface Props {
  readonly name: string
  /** All targets of the run, in the order of their colours. */
  readonly targets: readonly string[]
  readonly is_control?: boolean | undefined
}

/** The name of a target with its colour. */
export function TargetName({ name, targets, is_control }: Props) {
  return (
    <span class={`target-name target-${targetColour(targets, name)}`}>
      <span class="swatch" aria-hidden="true" />
      {name}
      {is_control && <span class="faint"> (control)</span>}
    </span>
  )
}
