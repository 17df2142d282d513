import { inProcess, pagesIn, testPages } from './documented-commands.ts'

testPages(pagesIn('examples'), inProcess)
