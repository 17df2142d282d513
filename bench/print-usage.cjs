process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  process.stderr.write(`peak memory: ${maxRSS * 1024}\ncpu time: ${userCPUTime + systemCPUTime}\n`)
})
