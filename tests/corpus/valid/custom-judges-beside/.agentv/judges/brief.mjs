console.log('{"score": 0}')
