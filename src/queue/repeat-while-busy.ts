import type { Redis } from 'ioredis'
import type { Host } from '../model/host.ts'

/** How long to wait before a command is sent again. */
const BUSY_MS = 250

/** After this time without such an answer, the next one is reported again. */
const QUIET_MS = 5000

/**
 * Sends commands of a connection again that Redis did not carry out because a script runs for longer than its limit.
 * Commands of a transaction fail: they cannot be repeated one by one.
 */
export function repeatWhileBusy(redis: Redis, say: (text: string) => void, { clock }: Host): void {
  const send = redis.sendCommand.bind(redis)
  let last = Number.NEGATIVE_INFINITY
  const onBusy = () => {
    const now = clock.elapsed()
    if (now - last > QUIET_MS) say('Redis is busy with a script; waiting until it answers.')
    last = now
  }
  redis.sendCommand = (command, stream) => {
    if (stream) return send(command, stream)
    const { reject } = command
    command.reject = error => {
      if (!isBusy(error)) return reject(error)
      onBusy()
      clock.setTimer(BUSY_MS, () => send(command))
    }
    return send(command)
  }
}

/** Unlike `BUSYGROUP` and `BUSYKEY`, which are about the command. */
function isBusy({ message }: Error): boolean {
  return message.startsWith('BUSY ')
}
