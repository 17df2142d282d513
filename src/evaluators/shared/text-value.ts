import * as z from 'zod'
import { visibleText } from '../../lib/schema-rules.ts'

/** Text to look for. Numbers and booleans are taken as the text that stands in the file. */
export const textValue = z.union([z.string().min(1), z.number(), z.boolean()]).transform(String)

/** Text that is compared after trimming, so blanks alone are nothing. */
const trimmedValue = z.union([visibleText, z.number(), z.boolean()]).transform(String)

const textValues = z.array(textValue).min(1)

/** Fields of the checks that look for one text, or for several. */
export const oneText = z.strictObject({ value: textValue.describe('The text.') })
export const oneTrimmedText = z.strictObject({
  value: trimmedValue.describe('The text; blanks around it do not count.'),
})
export const manyTexts = z.strictObject({ value: textValues.describe('The texts.') })
