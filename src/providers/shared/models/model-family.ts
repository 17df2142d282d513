/** How the names of models of one family begin. */
const FAMILIES = {
  gpt: ['gpt', 'chatgpt', 'codex', 'o1', 'o3', 'o4'],
  claude: ['claude'],
  gemini: ['gemini'],
  gemma: ['gemma'],
  llama: ['llama', 'codellama'],
  mistral: ['mistral', 'mixtral', 'ministral', 'magistral', 'codestral', 'devstral', 'pixtral', 'open-mi[sx]tral'],
  qwen: ['qwen', 'qwq', 'qvq'],
  deepseek: ['deepseek'],
  grok: ['grok'],
  command: ['command'],
  nova: ['nova'],
  phi: ['phi'],
  kimi: ['kimi'],
  glm: ['glm', 'chatglm'],
  granite: ['granite'],
  jamba: ['jamba'],
}

/** One group for each family. Services put regions, makers and folders before a name. */
const NAME = new RegExp(
  `(?:^|[/.:])(?:${Object.entries(FAMILIES)
    .map(([family, names]) => `(?<${family}>${names.join('|')})`)
    .join('|')})(?![a-z])`,
  'i',
)

/** The family of a model by its name; undefined where the name does not tell. */
export function modelFamily(name: string): string | undefined {
  const found = Object.entries(NAME.exec(name)?.groups ?? {})
  return found.find(([, match]) => match !== undefined)?.[0]
}
