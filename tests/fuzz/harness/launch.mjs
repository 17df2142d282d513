// Runs in the child: which bundle, and what to run of it.
const [bundle, order] = process.argv.slice(2)
const { runChild } = await import(bundle)
await runChild(JSON.parse(order))
process.disconnect()
process.exit(0)
