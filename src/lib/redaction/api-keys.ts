/** What stands where a key was. */
const REPLACEMENT = '[key]'

/** How the keys of well-known services look, and what is named as one. */
const KEYS: readonly RegExp[] = [
  // Beginnings without an end, as many as there are, are each looked at once.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----BEGIN)[\s\S]){0,20000}?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|hf_[A-Za-z0-9]{20,})/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g,
  /(?<=\bBearer )[\w.~+/-]{20,}=*/g,
  /(?<=(?:\b|_)(?:api[_-]?key|secret|token|password)["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"',;\\]{0,64}\d)[^\s"',;\\]{16,}/gi,
]

/** A text without what looks like a key. */
export function redactApiKeys(text: string): string {
  return KEYS.reduce((cleaned, pattern) => cleaned.replace(pattern, REPLACEMENT), text)
}

/** The same for all texts in a value. */
export function redactApiKeysIn<Value>(value: Value): Value {
  if (typeof value === 'string') return redactApiKeys(value) as Value
  if (Array.isArray(value)) return value.map(redactApiKeysIn) as Value
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, part]) => [
    redactApiKeys(name),
    NAME.test(name) && isKeyOfAnyKind(part) ? REPLACEMENT : redactApiKeysIn(part),
  ])
  return Object.fromEntries(fields) as Value
}

/** Names of fields that hold keys, by which such as look like nothing are known. */
const NAME = /(?:^|[\s_.-])(?:api[_-]?key|secret|token|password)$/i

function isKeyOfAnyKind(value: unknown): boolean {
  return typeof value === 'string' && /^(?=\S*\d)\S{16,}$/.test(value)
}
