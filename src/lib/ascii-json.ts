/** JSON that every reader understands, whatever encoding it takes files to have. */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2)
  return `${json.replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
