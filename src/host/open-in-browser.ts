import { spawn } from 'node:child_process'

const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the browser of the user, which outlives this process. Does nothing on a machine without a screen. */
export function openInBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const hasScreen = process.platform in OPENERS || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['BROWSER'])
  if (!hasScreen) return
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env })
  child.on('error', () => {})
  child.unref()
}
