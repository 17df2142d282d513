export default { type: 'mine' }
