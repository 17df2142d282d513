import { CannotDo } from '../model/cannot-do.ts'

/** A log that cannot be found, read or written, in words for people. */
export class NoLog extends CannotDo {
  override readonly name = 'NoLog'
}
