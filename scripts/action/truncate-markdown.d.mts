export function truncateMarkdown(text: string, limit: number, notice: string): string
