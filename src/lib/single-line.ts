const MARKS: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '␉' }

/** Text on one line: line breaks and tabs become visible marks. */
export function singleLine(text: string): string {
  return /[\n\r\t]/.test(text) ? text.replace(/[\n\r\t]/g, character => MARKS[character] ?? character) : text
}
