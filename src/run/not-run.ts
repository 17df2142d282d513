/** An attempt that is given up before it has a result: it leaves no record, and a later resume makes it. */
export class NotRun extends Error {
  override readonly name = 'NotRun'
  readonly reason: 'stopped' | 'budget'

  constructor(reason: NotRun['reason']) {
    super(`not run: ${reason}`)
    this.reason = reason
  }
}
