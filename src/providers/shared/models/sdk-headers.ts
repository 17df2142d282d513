/**
 * Takes the place of `Headers` in the SDKs of the built program (scripts/build.mjs). They make two for each call only to
 * add a `user-agent`, and the one of Node loads all of its `fetch`. Names and values are checked when they are sent.
 */
export class SdkHeaders extends Map<string, string> {
  constructor(headers: Readonly<Record<string, string>> | Iterable<readonly [string, string]> = {}) {
    super()
    for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) this.set(name, value)
  }

  override get(name: string): string | undefined {
    return super.get(name.toLowerCase())
  }

  override has(name: string): boolean {
    return super.has(name.toLowerCase())
  }

  override set(name: string, value: string): this {
    return super.set(name.toLowerCase(), value)
  }

  override delete(name: string): boolean {
    return super.delete(name.toLowerCase())
  }
}
