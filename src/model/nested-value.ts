import * as z from 'zod'
import { isNestedWithin } from '../lib/is-nested-within.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from './answer-limit.ts'

/** Any value of an answer or of a judge, nested no deeper than can be written down and compared. */
export const nestedValue = z.unknown().refine(value => isNestedWithin(value, DEEPEST_ANSWER), TOO_DEEP)
