/** Something that was asked for and cannot be done, in words for people. */
export class CannotDo extends Error {
  override readonly name: string = 'CannotDo'
}
