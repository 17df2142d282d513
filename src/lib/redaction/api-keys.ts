/** The text that replaces a key. */
const REPLACEMENT = '[key]'

/**
 * The formats of API keys of well-known services, and values after a name such as `api_key`. Their lengths have a limit:
 * a search through some megabytes of letters would run out of stack.
 */
const KEYS: readonly RegExp[] = [
  // Stops at the next BEGIN: text with many BEGIN lines and no END stays linear.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----BEGIN)[\s\S]){0,20000}?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,100000}/g,
  /\b(?:gh[oprsu]_[A-Za-z0-9]{20,100000}|github_pat_\w{20,100000}|glpat-[\w-]{20,100000}|hf_[A-Za-z0-9]{20,100000})/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,100000}/g,
  /\bxox[abeoprs]-[\w-]{10,100000}/g,
  /(?<![\w-])eyJ[\w-]{10,100000}\.[\w-]{10,100000}\.[\w-]{10,100000}/g,
  /(?<=\bBearer )[\w.~+/-]{20,100000}=*/g,
  /(?<=(?:\b|_)(?:api[_-]?key|secret|token|password)["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"',;\\]{0,64}\d)[^\s"',;\\]{16,100000}/gi,
]

/** Replaces everything that looks like an API key. */
export function redactApiKeys(text: string): string {
  return KEYS.reduce((cleaned, pattern) => cleaned.replace(pattern, REPLACEMENT), text)
}

/** Redacts API keys in all strings of a value. */
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

/** Names of fields that hold keys of unknown formats. */
const NAME = /(?:^|[\s_.-])(?:api[_-]?key|secret|token|password)$/i

function isKeyOfAnyKind(value: unknown): boolean {
  return typeof value === 'string' && /^(?=\S*\d)\S{16,}$/.test(value)
}
