/** An option of a program, where it has a value. */
export function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)]
}
