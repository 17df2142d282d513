/** Something that was asked for and cannot be done, in words for people. */
export class UserError extends Error {
  override readonly name: string = 'CannotDo'
  /** What can be done instead: a sentence of its own. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
  }
}
