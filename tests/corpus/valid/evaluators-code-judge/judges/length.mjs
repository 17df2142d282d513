let text = ''
for await (const chunk of process.stdin) text += chunk
const { answer } = JSON.parse(text)
console.log(JSON.stringify({ score: answer.split(/\s+/).length <= 100 ? 1 : 0 }))
