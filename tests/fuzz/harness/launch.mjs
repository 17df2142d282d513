// The entry point of a child: `launch.mjs BUNDLE ORDER`.
const [bundle, order] = process.argv.slice(2)
const { runChild } = await import(bundle)
await runChild(JSON.parse(order))
process.disconnect()
process.exit(0)
