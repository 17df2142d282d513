/** A log that cannot be found, read or written, in words for people. */
export class NoLog extends Error {
  override readonly name = 'NoLog'
}
