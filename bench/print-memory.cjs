process.on('exit', () => process.stderr.write(`peak memory: ${process.resourceUsage().maxRSS * 1024}\n`))
