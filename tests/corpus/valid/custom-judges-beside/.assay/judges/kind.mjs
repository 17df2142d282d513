console.log('{"score": 1}')
