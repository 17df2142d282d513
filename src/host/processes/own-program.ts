import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The command of a program in `dist/`: that of this build, or, in a checkout, that of the last one. */
export function ownProgram(name: string): readonly [string, string] {
  return [process.execPath, join(packageRoot(import.meta.dirname), 'dist', `${name}.js`)]
}

/** The nearest folder with a package.json. */
function packageRoot(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(join(folder, 'package.json')) ? folder : packageRoot(above)
}
