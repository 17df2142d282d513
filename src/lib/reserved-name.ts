/** Whether Windows keeps a name of a file for a device, whatever comes behind a dot. */
export function isReservedName(name: string): boolean {
  return /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\.|$)/i.test(name)
}
