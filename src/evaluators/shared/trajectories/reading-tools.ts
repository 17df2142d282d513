/** Tools that look at things and change nothing, without blanks, dashes and capitals. */
const READING_TOOLS = new Set([
  'read',
  'readfile',
  'readfiles',
  'readmanyfiles',
  'notebookread',
  'view',
  'viewfile',
  'cat',
  'grep',
  'ripgrep',
  'glob',
  'ls',
  'list',
  'listdir',
  'listdirectory',
  'listfiles',
  'find',
  'findfiles',
  'search',
  'searchfiles',
  'searchcode',
  'codesearch',
  'codebasesearch',
  'filesearch',
  'websearch',
  'fetch',
  'webfetch',
  'fetchurl',
  'get',
  'lookup',
  'query',
])

/** A tool of a server, `mcp__files__search`, is known by its last name. */
export function isReadingTool(tool: string): boolean {
  const name = tool.split('__').at(-1) ?? tool
  return READING_TOOLS.has(name.toLowerCase().replace(/[\s_.-]/g, ''))
}
