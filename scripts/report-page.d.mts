import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin as VitePlugin } from 'vitest/config'

export const reportPageForEsbuild: EsbuildPlugin
export function reportPageForVite(): VitePlugin
/** The files that the pages are made from, relative to the project. */
export function pageInputs(): Promise<string[]>
