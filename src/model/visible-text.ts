import * as z from 'zod'

/** Text with something in it to see. */
export const visibleText = z.string().regex(/\S/, 'must not be blank')
