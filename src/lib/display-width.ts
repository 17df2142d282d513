/** How many terminal columns a text takes: two for wide characters, none for marks that combine with the one before. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const WIDE =
  /^\p{Emoji_Presentation}|^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u
