import { inProcess, pagesIn, testPages } from './documented-commands.ts'

testPages(['docs/security.md', ...pagesIn('docs/guide')], inProcess)
