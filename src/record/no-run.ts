import { CannotDo } from '../model/cannot-do.ts'

/** A run that cannot be found or read, in words for people. */
export class NoRun extends CannotDo {
  override readonly name = 'NoRun'
}

/** An error of the host in words that say what could not be read. */
export function cannotRead(path: string): (error: Error) => never {
  return error => {
    throw error instanceof NoRun ? error : new NoRun(`Cannot read ${path}: ${error.message}`)
  }
}
