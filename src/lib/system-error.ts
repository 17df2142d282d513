/** Codes that only a bug of ours causes. */
const BUG_CODES = ['EBADF', 'EINVAL']

/** Whether an error comes from the operating system: a full disk, a missing permission, a removed file. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return typeof syscall === 'string' && /^E[A-Z0-9]+$/.test(code ?? '') && !BUG_CODES.includes(code ?? '')
}

/** For `catch`: returns a default when a path does not exist, and throws any other error. */
export function ifNotFound<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }
}
