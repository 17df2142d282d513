console.log("Hello")
