/** JSON in plain ASCII: its readers may take it in whatever encoding the machine has. */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replace(/[\u007f-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
