/** The CPU time that work takes in this process, in milliseconds. Other programs on the machine hardly change it. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
