/** Why a session of proposals has no result yet. */
export type IncompleteReason = 'budget' | 'interrupted' | 'errors' | 'no-proposals' | 'changed' | 'bug'

/** A session that ends before its decision. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete'
  readonly reason: IncompleteReason

  constructor(reason: IncompleteReason, message: string) {
    super(message)
    this.reason = reason
  }
}
