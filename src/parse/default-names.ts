import type { Origin } from '../model/location.ts'
import type { Config } from '../spec/config.ts'

/** Names of targets that are taken where nobody names one, in place of `default` and `judge`. */
export interface DefaultNames {
  readonly targets?: readonly string[] | undefined
  readonly judge?: string | undefined
}

/** The same, and where they are written, where that is known. */
export interface WrittenDefaults extends DefaultNames {
  /** The configuration. */
  readonly at?: Origin | undefined
}

/** The names in a configuration; undefined where it has none. */
export function defaultNames({ target, judge }: Config): DefaultNames | undefined {
  if (target === undefined && judge === undefined) return undefined
  return { targets: target === undefined ? undefined : [target].flat(), judge }
}
