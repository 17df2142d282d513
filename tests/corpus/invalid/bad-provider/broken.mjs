throw new Error('I do not start')
