import { pagesIn, testPages } from './documented-commands.ts'

testPages(pagesIn('examples'))
