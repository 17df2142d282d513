/** What a wildcard pattern matches. */
export interface Wildcard {
  test(text: string): boolean
}

/** A pattern in which `*` matches any text and `?` any character. Never backtracks beyond the last `*`. */
export function wildcard(pattern: string): Wildcard {
  const [first = [], ...others] = pattern.split('*').map(part => [...part])
  const last = others.pop()
  return { test: text => matches([...text], first, others, last) }
}

type Characters = readonly string[]

/** Whether a text begins with the first part, ends with the last, and has the others between them in order. */
function matches(text: Characters, first: Characters, others: readonly Characters[], last?: Characters): boolean {
  if (!isAt(text, 0, first)) return false
  if (!last) return text.length === first.length
  let from = first.length
  for (const part of others) {
    while (from + part.length <= text.length && !isAt(text, from, part)) from++
    from += part.length
  }
  return from + last.length <= text.length && isAt(text, text.length - last.length, last)
}

function isAt(text: Characters, start: number, part: Characters): boolean {
  if (start + part.length > text.length) return false
  for (let offset = 0; offset < part.length; offset++) {
    if (part[offset] !== '?' && part[offset] !== text[start + offset]) return false
  }
  return true
}
