/** A command of GitHub Actions: a line that it shows at a place in the files. */
export function workflowCommand(level: string, properties: Readonly<Record<string, string>>, text: string): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
  return `::${level}${given.length > 0 ? ` ${given.join(',')}` : ''}::${data(text)}\n`
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
