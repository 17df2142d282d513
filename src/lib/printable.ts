/** Text that cannot steer a terminal: control characters and those that reorder text become visible stand-ins. */
export function printable(text: string): string {
  return text.replace(UNSAFE, character => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : '\ufffd'
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
