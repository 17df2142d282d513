/** The command of another tool for a row; undefined if it does not support the workload. */
export function peerFrom(template, { task, startUp }) {
  if (!template || !task) return undefined
  const takesPart = task.command === 'eval' || template.includes('{command}')
  if (!takesPart) return undefined
  return { ours: filled(template, task), startUp: startUp && filled(template, startUp.task) }
}

function filled(template, task) {
  return template.replace(/\{(suite|command|workers)\}/g, (_, name) => quoted(String(task[name] ?? '')))
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
