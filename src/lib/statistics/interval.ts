export interface Interval {
  readonly low: number
  readonly high: number
}

/** How often such an interval contains what is true, unless the caller says otherwise. */
export const USUAL_LEVEL = 0.95
