import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../dist/assay.cjs')

/** A step that runs assay and exits with 0. */
export function assay(name, ...args) {
  return { name, args: [PROGRAM, ...args], exit: 0 }
}

/** Changes the expected exit code of a step. */
export function exitsWith(exit, step) {
  return { ...step, exit }
}

/** Marks a step as preparation, which is not measured. */
export function setUp(step) {
  return { ...step, isSetUp: true }
}
