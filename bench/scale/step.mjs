import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.js')

/** A step that runs the program, which ends with 0. */
export function assay(name, ...args) {
  return { name, args: [PROGRAM, ...args], exit: 0 }
}

/** A step that ends with another exit code than 0. */
export function ending(exit, step) {
  return { ...step, exit }
}

/** A step that others need, and that nobody measures. */
export function setUp(step) {
  return { ...step, isSetUp: true }
}
