process.stdin.resume()
console.log('{"score": 1}')
