type Options = Readonly<Record<string, unknown>>

/** Options in the spelling of a service's own requests, which go there as they are: their names have an underscore. */
export function serviceOptions(options: Options = {}): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => isOfTheService(name)))
}

/** Options that a provider's SDK reads, and would drop in the other spelling. */
export function sdkOptions(options: Options = {}): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isOfTheService(name)))
}

function isOfTheService(name: string): boolean {
  return name.includes('_')
}
