/** How often models can judge each answer with `--judge-repeats`. */
export const JUDGE_REPEATS = { least: 2, most: 20 } as const
