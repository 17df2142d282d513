/** The parts of the SDK that are used: the build leaves out the others. */
export { embedMany, generateText, jsonSchema, Output, stepCountIs, wrapLanguageModel } from 'ai'
