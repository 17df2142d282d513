import { SHORTEST } from '../../lib/redaction/secret-forms.ts'
import { addSecret, addWrittenSecrets, isSecretName } from '../../parse/targets/secrets.ts'

/** Where a real server gets its secrets from. */
interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly command: readonly string[]
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Variables of the system with a word such as `auth`, `session` or `pwd` in their names, and names of files. */
const HARMLESS_VARIABLE = /^(XDG|DBUS|DESKTOP|GIT_AUTHOR)_|^(SESSION_MANAGER|(OLD)?PWD)$|_(FILE|PATH|DIR|SOCK)$/i

/** Headers whose values also occur in ordinary texts. Any other header may hold a key. */
const HARMLESS_HEADER = /^(accept(-.*)?|content-type|user-agent|mcp-protocol-version)$/i

/** The secrets that a real server may repeat in its answers: their values, and the names that replace them. */
export function serverSecrets({ env, command, url, headers }: SecretSources): Map<string, string> {
  const secrets = new Map<string, string>()
  const mayBeSecret = Object.entries(headers).filter(([name]) => !HARMLESS_HEADER.test(name))
  for (const [name, value] of [...mayBeSecret, ...secretArguments(command)])
    if (value.length >= SHORTEST) addSecret(secrets, value, name)
  const variables = Object.entries(env).filter(([name]) => !HARMLESS_VARIABLE.test(name))
  // URLs with passwords occur in variables and arguments of any name.
  addWrittenSecrets({ env: Object.fromEntries(variables), command, url }, secrets)
  return secrets
}

/** The values of options with the name of a secret: `--token VALUE`, `--token=VALUE`, `TOKEN=VALUE`. */
function secretArguments(command: readonly string[]): [name: string, value: string][] {
  return command.flatMap((arg, index) => {
    const [, name = '', value = command[index + 1]] = /^(?:-{1,2})?([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(arg) ?? []
    const isOption = arg.startsWith('-') || arg.includes('=')
    return isOption && value !== undefined && !value.startsWith('-') && isSecretName(name)
      ? [[name, value] as [string, string]]
      : []
  })
}
