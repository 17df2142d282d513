import { slug } from '../lib/paths.ts'

export const SUITE_NAME = /^[a-z]([a-z0-9-]*[a-z0-9])?$/
export const LONGEST_SUITE_NAME = 64

/** Converts a text into a valid name of a suite. */
export function suiteNameOf(text: string, otherwise: string): string {
  return slug(text, LONGEST_SUITE_NAME).replace(/^[^a-z]+/, '') || otherwise
}
