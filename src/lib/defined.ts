/** An object without the keys that have no value. */
export function defined<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> }
}
