/** An error that the user can fix. */
export class UserError extends Error {
  override readonly name: string = 'CannotDo'
  /** A sentence that says what to do instead. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
  }
}
