/** This instead of an error that only says that nothing is there. */
export function unlessAbsent<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }
}
