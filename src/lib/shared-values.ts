/** One value for all that are equal: what many records bring along each for itself then takes the room of one. */
export class SharedValues {
  readonly #texts = new Map<string, string>()
  readonly #values = new Map<string, unknown>()

  text(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }

  /** A value that is JSON. */
  value<Value>(value: Value): Value {
    const key = JSON.stringify(value)
    const known = this.#values.get(key) as Value | undefined
    if (known === undefined) this.#values.set(key, value)
    return known ?? value
  }
}
