/** What only a program that makes a mistake is told. */
const OUR_MISTAKES = ['EBADF', 'EINVAL']

/** Whether an error is one that the operating system gives: a full disk, a right that is lost, a file that is gone. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return typeof syscall === 'string' && /^E[A-Z0-9]+$/.test(code ?? '') && !OUR_MISTAKES.includes(code ?? '')
}

/** This instead of an error that only says that nothing is there. */
export function ifNotFound<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }
}
