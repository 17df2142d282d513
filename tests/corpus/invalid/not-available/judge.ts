console.log(JSON.stringify({ score: 1 }))
