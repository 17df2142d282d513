import type { Host } from '../model/host.ts'

/** What comes of work within a time; undefined where nothing does. */
export async function within<T>(ms: number, work: Promise<T>, host: Host): Promise<T | undefined> {
  let callOff = () => {}
  const late = new Promise<undefined>(resolve => {
    callOff = host.clock.setTimer(ms, () => resolve(undefined))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    callOff()
  }
}
