import { z } from 'zod'
import { visibleText } from '../../model/visible-text.ts'

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

/** A value in single quotes, on one line, so that it can be read back. */
export function quoted(value: string): string {
  const text = escaped(value)
  return `'${text.includes("'") ? text.replaceAll("'", "\\'") : text}'`
}

export function quotedList(values: readonly string[]): string {
  return values.map(quoted).join(', ')
}

/** A value on one line, so that it can be read back. */
export function escaped(value: string): string {
  // Nearly every value is plain, and every check of every answer is put into words.
  if (!/[\\\n\r\t]/.test(value)) return value
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}
