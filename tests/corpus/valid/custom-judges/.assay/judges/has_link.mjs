let text = ''
for await (const chunk of process.stdin) text += chunk
console.log(JSON.stringify({ score: /https?:/.test(JSON.parse(text).answer) ? 1 : 0 }))
